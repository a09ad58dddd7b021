// Opens a page of scree export --web in a browser, does what a user would do, and prints what it saw as JSON.
//
//     node web_driver.mjs FOLDER_WITH_NODE_MODULES BROWSER PAGE
import { createRequire } from "node:module";

const [modules, executablePath, file] = process.argv.slice(2);
const { chromium } = createRequire(`${modules}/`)("playwright-core");
const browser = await chromium.launch({ executablePath, headless: false, args: ["--no-sandbox", "--use-angle=gl", "--ignore-gpu-blocklist"] });
const page = await browser.newPage({ viewport: { width: 960, height: 540 } });
const errors = [];
page.on("console", (message) => { if (["error", "warning"].includes(message.type())) errors.push(message.text().slice(0, 300)); });
page.on("pageerror", (error) => errors.push(error.message));

// The canvas as it is: how many colours, and a sum over all of it.
const look = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const stage = document.getElementById("stage"), copy = document.createElement("canvas");
  copy.width = stage.width;
  copy.height = stage.height;
  const context = copy.getContext("2d");
  context.drawImage(stage, 0, 0);
  const { data } = context.getImageData(0, 0, copy.width, copy.height), colors = new Set();
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) {
    const color = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
    colors.add(color);
    sum = (Math.imul(sum, 31) + color) | 0;
  }
  resolve({ colors: colors.size, sum });
}))));
const frame = async () => Number(await page.getAttribute("#stage", "data-frame"));
const press = async (key) => { await page.keyboard.press(key); await look(); };

await page.goto(`file://${file}`);
await page.waitForFunction(() => document.body.dataset.ready === "true", null, { timeout: 120000 });
const found = { errors };
await page.waitForFunction(() => Number(document.getElementById("stage").dataset.frame) > 0.5, null, { timeout: 60000 });
found.played = await frame();
await press("Home"); // stops as well
found.first = await look();
await press("End");
found.last = await look();
await press("Home");
found.again = await look();

await press(" ");
await page.waitForFunction(() => Number(document.getElementById("stage").dataset.frame) > 1, null, { timeout: 60000 });
await press(" ");
found.paused = [await frame()];
await page.waitForTimeout(400);
found.paused.push(await frame());

found.colors = {};
await page.evaluate(() => { const scrub = document.getElementById("scrub"); scrub.value = 3.5; scrub.oninput(); });
for (const mode of ["speed", "material", "body", "height", "spin"]) {
  await page.selectOption("#color", mode);
  found.colors[mode] = (await look()).sum;
}
await page.selectOption("#color", "speed");

// The middle of the plot is the middle of the time.
found.quantities = await page.locator("#quantity option").allTextContents();
const box = await page.locator(".chart").boundingBox();
await page.mouse.click(box.x + (box.width * (46 + (330 - 46 - 8) / 2)) / 330, box.y + box.height / 2);
await look();
found.sought = Math.round((await frame()) * 10) / 10;
found.table = Object.fromEntries(await page.evaluate(() => [...document.querySelectorAll("#closing tr")].map((row) => [...row.cells].map((cell) => cell.textContent))));

await press("Home");
await page.mouse.move(150, 250);
await page.mouse.down();
await page.mouse.move(230, 220, { steps: 4 });
await page.mouse.up();
found.orbited = await look();
await browser.close();
console.log(JSON.stringify(found));
