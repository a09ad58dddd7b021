#include "rigid/impacts/reflect.h"

#include "contact/velocity.h"

// Contacts of an island in which impacts pass on; sweeps of a round; rounds, for each contact.
enum { MOST_CONTACTS = 256, MOST_SWEEPS = 200, MOST_ROUNDS_EACH = 32 };

// Impacts within this part of the step are one.
static const double simultaneous = 1e-3;

// Speeds below this part of the fastest approach are rounding; changes below this part of it end the sweeps.
static const double still = 1e-6, settled = 1e-11;

// What meets after something else is struck in the same step up to this part of the smaller radius away; overlaps
// beyond it are deep.
static const double near_part = 0.05;

// A contact of the island that may be struck, between places in the island.
typedef struct strike {
    uint32_t index;    // of the contact in the problem
    uint32_t place[2]; // NO_BODY for immovable ones
    vec3 normal;
    vec3 turn[2], spun[2]; // arm x normal, and the spin that an impulse of one gives
    double mass[2];
    double moving; // speed by immovable bodies
    double mobility, restitution, gap;
    double speed, impulse, goal; // of a round
    bool closes, struck;
} strike;

typedef struct reflection {
    island_run *run;
    strike *strikes;
    size_t count;
    body_velocity *velocity; // by place
    double least;            // slowest approach that is one
    size_t rounds;
} reflection;

// ------------------------------------------------------------------------------------------------------------ listing

static void set_end(const island_run *run, strike *s, int i, uint32_t slot, vec3 arm)
{
    const step_problem *problem = run->problem;
    if (problem->immovable[slot]) {
        double part = vec3_dot(s->normal, point_velocity(start_velocity(problem, slot), arm));
        s->place[i] = NO_BODY;
        s->moving += i ? part : -part;
        return;
    }
    mat3 inverse = inverse_inertia_at(problem->inertia[slot], &problem->orientation[slot]);
    s->place[i] = run_place(run, slot);
    s->mass[i] = problem->mass[slot];
    s->turn[i] = vec3_cross(arm, s->normal);
    s->spun[i] = mat3_apply(&inverse, s->turn[i]);
    s->mobility += 1 / s->mass[i] + vec3_dot(s->turn[i], s->spun[i]);
}

// Of a pair that meets within the step the points that touch at the moment of that may be struck; of one that meets
// after something else those that were near from the beginning: others wait for the next step. What passes is not
// struck, and springs take blows softly.
static bool may_be_struck(const step_problem *problem, const contact *c)
{
    const pair_meeting *met = meeting_of(problem, c);
    if (pair_of_contact(problem, c)->stiffness > 0 || (met && met->kind == MEETING_PASS))
        return false;
    if (met && met->kind == MEETING_HIT)
        return contact_rebounds(problem, c);
    return !met || (double)c->gap <= near_part * smaller_radius(problem, c);
}

static strike make_strike(const island_run *run, uint32_t index)
{
    const step_problem *problem = run->problem;
    const contact *c = &problem->contacts[index];
    strike s = {.index = index,
                .normal = vec3_normalize(vec3_from_f(c->normal)),
                .restitution = (double)pair_of_contact(problem, c)->restitution,
                .gap = (double)c->gap};
    set_end(run, &s, 0, c->a, vec3_from_f(c->arm));
    set_end(run, &s, 1, c->b, second_arm(problem, c));
    return s;
}

// Does a body move whatever it meets? What is caught before it would be struck without end, faster each time.
static bool is_driven(const step_problem *problem, uint32_t slot)
{
    vec3 v = problem->velocity[slot], w = problem->spin[slot];
    return problem->immovable[slot] && (vec3_dot(v, v) > 0 || vec3_dot(w, w) > 0);
}

// Whether something rebounds, and there is something else to pass it on to. Among deep overlaps nothing is a clean
// blow.
static bool may_pass_on(const island_run *run)
{
    const step_problem *problem = run->problem;
    const contact *contacts = problem->contacts, *first = &contacts[run_contacts(run)[0]];
    bool rebounds = false, several = false;
    for (size_t i = 0; i < run->island->contact_count; i++) {
        const contact *c = &contacts[run_contacts(run)[i]];
        if (is_driven(problem, c->a) || is_driven(problem, c->b) ||
            (double)c->gap < -near_part * smaller_radius(problem, c))
            return false;
        several = several || c->a != first->a || c->b != first->b;
        rebounds = rebounds || contact_rebounds(problem, c);
    }
    return rebounds && several;
}

static bool set_up(reflection *of)
{
    const island_run *run = of->run;
    of->strikes = arena_array(run->scratch, strike, run->island->contact_count);
    of->velocity = arena_array(run->scratch, body_velocity, run->island->body_count);
    if (!of->strikes || !of->velocity)
        return false;
    for (size_t i = 0; i < run->island->body_count; i++)
        of->velocity[i] = start_velocity(run->problem, run_bodies(run)[i]);
    for (size_t i = 0; i < run->island->contact_count; i++)
        if (may_be_struck(run->problem, &run->problem->contacts[run_contacts(run)[i]]))
            of->strikes[of->count++] = make_strike(run, run_contacts(run)[i]);
    return true;
}

// ------------------------------------------------------------------------------------------------------------- rounds

static double speed_of(const reflection *of, const strike *s)
{
    double sum = s->moving;
    for (int i = 0; i < 2; i++) {
        if (s->place[i] == NO_BODY)
            continue;
        const body_velocity *at = &of->velocity[s->place[i]];
        double part = vec3_dot(s->normal, at->velocity) + vec3_dot(s->turn[i], at->spin);
        sum += i ? part : -part;
    }
    return sum;
}

static void push(const reflection *of, const strike *s, double impulse)
{
    for (int i = 0; i < 2; i++) {
        if (s->place[i] == NO_BODY)
            continue;
        body_velocity *at = &of->velocity[s->place[i]];
        double along = i ? impulse : -impulse;
        at->velocity = vec3_add_scaled(at->velocity, s->normal, along / s->mass[i]);
        at->spin = vec3_add_scaled(at->spin, s->spun[i], along);
    }
}

// When a contact closes at the speeds of now, as a part of the step; more than one where it does not.
static double closing_time(const reflection *of, const strike *s)
{
    double path = of->run->problem->step * s->speed;
    return s->speed < -of->least ? fmax(0, s->gap / -path) : HUGE_VAL;
}

// Finds what closes first within the step; returns the fastest approach of it. Speeds of rest do not rebound.
static double find_closing(const reflection *of)
{
    double fastest = 0, first = 1;
    for (size_t i = 0; i < of->count; i++) {
        strike *s = &of->strikes[i];
        s->speed = speed_of(of, s);
        first = fmin(first, closing_time(of, s));
    }
    for (size_t i = 0; i < of->count; i++) {
        strike *s = &of->strikes[i];
        s->closes = closing_time(of, s) <= fmin(1, first + simultaneous);
        s->impulse = 0;
        s->goal = s->speed < -resting_speed(of->run->problem) ? -s->restitution * s->speed : 0;
        fastest = s->closes ? fmax(fastest, -s->speed) : fastest;
    }
    return fastest;
}

// All that close, together: projected Gauss-Seidel.
static void solve_round(const reflection *of, double fastest)
{
    double change = fastest;
    for (int sweep = 0; sweep < MOST_SWEEPS && change > settled * fastest; sweep++) {
        change = 0;
        for (size_t i = 0; i < of->count; i++) {
            strike *s = &of->strikes[i];
            if (!s->closes)
                continue;
            double impulse = fmax(0, s->impulse + (s->goal - speed_of(of, s)) / s->mobility);
            change = fmax(change, fabs(impulse - s->impulse) * s->mobility);
            push(of, s, impulse - s->impulse);
            s->impulse = impulse;
            s->struck = true;
        }
    }
}

// Rounds until nothing closes any more; false when that takes too long, as with something caught between others.
static bool reflect(reflection *of)
{
    double fastest = find_closing(of);
    of->least = still * fastest;
    for (; fastest > 0; fastest = find_closing(of)) {
        if (++of->rounds > MOST_ROUNDS_EACH * of->count)
            return false;
        solve_round(of, fastest);
    }
    return true;
}

// A contact opens as fast as at the end of all rounds. What does not rebound, and does not open, closes its gap.
static void give_speeds(const reflection *of)
{
    for (size_t i = 0; i < of->count; i++) {
        const strike *s = &of->strikes[i];
        if (s->struck && (s->speed > of->least || s->restitution > 0))
            of->run->problem->opening[s->index] = (float)fmax(0, s->speed);
    }
}

bool reflect_impacts(island_run *run)
{
    reflection of = {.run = run};
    size_t count = run->island->contact_count;
    if (!run->problem->opening || run->island->row_count > 0 || count < 2 || count > MOST_CONTACTS)
        return true;
    for (size_t i = 0; i < count; i++)
        run->problem->opening[run_contacts(run)[i]] = -1; // each contact by its own approach
    if (!may_pass_on(run))
        return true;
    arena_mark before = arena_get_mark(run->scratch);
    if (!set_up(&of))
        return false;
    if (reflect(&of) && of.rounds > 1) // one round is what the solve of the step does by itself
        give_speeds(&of);
    arena_release(run->scratch, before);
    return true;
}
