// Makes one script of the page and of what it uses of three: node build.js OUTPUT
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";

const here = dirname(fileURLToPath(import.meta.url));
const licence = readFileSync(join(here, "node_modules/three/LICENSE"), "utf8");

const made = await build({
  entryPoints: [join(here, "main.js")],
  bundle: true,
  minify: true,
  write: false,
  format: "iife",
  target: ["chrome90", "firefox113", "safari16.4"],
  loader: { ".css": "text", ".glsl": "text" },
  legalComments: "none",
});

// The notice that three's licence asks for; and nothing that would end the page's script element.
const notice = `/*\nThis page contains three.js (https://threejs.org):\n\n${licence.trim()}\n*/\n`;
const script = (notice + made.outputFiles[0].text).replaceAll("</script", "<\\/script");
writeFileSync(process.argv[2] ?? join(here, "page.js"), script);
