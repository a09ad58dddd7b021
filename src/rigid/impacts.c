#include "rigid/impacts.h"

#include "base/sort.h"
#include "contact/velocity.h"

// Contacts looked at in all rounds and sweeps at most, in any island and for each of its contacts; sweeps of a round;
// blows on one contact: more of them are a body caught between others; contacts of an island.
enum { MOST_LOOKS = 1 << 18, MOST_LOOKS_EACH = 64, MOST_SWEEPS = 100, MOST_STRIKES = 16, MOST_CONTACTS = 64 };

// Impacts within this part of the step are one.
static const double simultaneous = 1e-3;

// Speeds below this part of the fastest approach are rounding; changes below this part of it end the sweeps; changes
// above this part of it at their end are no solution.
static const double still = 1e-7, settled = 1e-12, unsettled = 1e-3;

// A contact that may be struck.
typedef struct strike {
    uint32_t index;
    scree_id id[2];    // of its bodies, a before b
    uint32_t place[2]; // NO_BODY for immovable ones
    vec3 normal;
    vec3 turn[2], spun[2]; // arm x normal, and the spin that an impulse of one gives
    double moving;         // speed by immovable bodies
    double mobility, restitution, gap;
    double least; // slowest approach that is an impact
    double speed, goal;
    double most;           // of all goals
    double time;           // when its pair closes
    double impulse;        // of a round
    double given, pushing; // of all of them; and in the mean over the step
    int strikes;
    bool closes;
} strike;

typedef struct striking {
    island_run *run;
    strike *strikes;
    size_t count;
    body_velocity *velocity; // by place
    body_velocity *offset; // by place: where the body would have been to be where it is by its velocity from the start
    bool timed;            // bodies move to the impact and on from there; else impacts are those of the beginning
    double *first;         // by place: when its first contact closes
    strike **now;          // those of a round
    size_t now_count;
    size_t looks; // the measure of cost
} striking;

// ------------------------------------------------------------------------------------------------------------- speeds

static double along_normal(const strike *s, const body_velocity *by_place)
{
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        if (s->place[i] == NO_BODY)
            continue;
        const body_velocity *at = &by_place[s->place[i]];
        double part = vec3_dot(s->normal, at->velocity) + vec3_dot(s->turn[i], at->spin);
        sum += i ? part : -part;
    }
    return sum;
}

static double speed_of(const striking *all, const strike *s)
{
    return s->moving + along_normal(s, all->velocity);
}

// The gap as it would have been at the beginning with the velocities of now.
static double gap_of(const striking *all, const strike *s)
{
    return s->gap + along_normal(s, all->offset);
}

static void add_impulse(body_velocity *to, const strike *s, int i, double mass, double impulse)
{
    to->velocity = vec3_add_scaled(to->velocity, s->normal, impulse / mass);
    to->spin = vec3_add_scaled(to->spin, s->spun[i], impulse);
}

// A body goes x(t) = c + v t, and at the time of an impulse to where it is: c changes by -t times what v does.
static void push(const striking *all, const strike *s, double impulse)
{
    for (int i = 0; i < 2; i++) {
        if (s->place[i] == NO_BODY)
            continue;
        double along = i ? impulse : -impulse, mass = all->run->problem->mass[run_bodies(all->run)[s->place[i]]];
        add_impulse(&all->velocity[s->place[i]], s, i, mass, along);
        if (all->timed)
            add_impulse(&all->offset[s->place[i]], s, i, mass, -s->time * along);
    }
}

// ------------------------------------------------------------------------------------------------------------ listing

static void set_end(const island_run *run, strike *s, int i, uint32_t slot, vec3 arm)
{
    const step_problem *problem = run->problem;
    vec3 turn = vec3_cross(arm, s->normal);
    if (problem->immovable[slot]) {
        body_velocity at = {problem->velocity[slot], problem->spin[slot]};
        double part = vec3_dot(s->normal, point_velocity(at, arm));
        s->place[i] = NO_BODY;
        s->moving += i ? part : -part;
        return;
    }
    mat3 inverse = inverse_inertia_at(problem->inertia[slot], problem->orientation[slot]);
    s->place[i] = run_place(run, slot);
    s->turn[i] = turn;
    s->spun[i] = mat3_apply(&inverse, turn);
    s->mobility += 1 / problem->mass[slot] + vec3_dot(turn, s->spun[i]);
}

// Whether the step asks for what becomes of a contact: of bodies that fly at each other fast wherever they meet, of
// others only where they rebound. All take part, since what a body is driven against stops it.
static bool is_asked(const step_problem *problem, const contact *c)
{
    return pair_of_contact(problem, c)->restitution > 0 || contact_is_fast(c);
}

static strike make_strike(const island_run *run, uint32_t index)
{
    const step_problem *problem = run->problem;
    const contact *c = &problem->contacts[index];
    strike s = {.index = index,
                .id = {problem->id[c->a], problem->id[c->b]},
                .normal = vec3_normalize(vec3_from_f(c->normal)),
                .restitution = (double)pair_of_contact(problem, c)->restitution,
                .gap = (double)c->gap};
    s.least = contact_is_fast(c) ? 0 : resting_speed(problem);
    set_end(run, &s, 0, c->a, vec3_from_f(c->arm));
    set_end(run, &s, 1, c->b, second_arm(problem->position, c));
    return s;
}

// Points of a pair lie side by side in the list of contacts, in the same order wherever bodies stand in memory.
static int compare_strikes(const void *a, const void *b)
{
    const strike *x = a, *y = b;
    for (int i = 0; i < 2; i++)
        if (x->id[i] != y->id[i])
            return x->id[i] < y->id[i] ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static bool any_contact(const island_run *run, bool is(const step_problem *problem, const contact *c))
{
    for (size_t i = 0; i < run->island->contact_count; i++)
        if (is(run->problem, &run->problem->contacts[run_contacts(run)[i]]))
            return true;
    return false;
}

static bool is_driven(const step_problem *problem, uint32_t slot)
{
    vec3 v = problem->velocity[slot], w = problem->spin[slot];
    return problem->immovable[slot] && (vec3_dot(v, v) > 0 || vec3_dot(w, w) > 0);
}

// Whether one of the bodies moves whatever it meets: what is caught before it is struck without end.
static bool contact_is_driven(const step_problem *problem, const contact *c)
{
    return is_driven(problem, c->a) || is_driven(problem, c->b);
}

// Joints pass impacts on, too, and heaps have so many that their order is nobody's.
static bool may_come_in_order(const island_run *run)
{
    return run->island->row_count == 0 && run->island->contact_count <= MOST_CONTACTS &&
           !any_contact(run, contact_is_driven);
}

static bool list_strikes(island_run *run, striking *all)
{
    size_t most = run->island->contact_count, bodies = run->island->body_count;
    *all = (striking){.run = run,
                      .strikes = arena_array(run->scratch, strike, most),
                      .velocity = arena_array(run->scratch, body_velocity, bodies),
                      .offset = arena_array(run->scratch, body_velocity, bodies),
                      .timed = run->island->flies,
                      .first = arena_array(run->scratch, double, bodies),
                      .now = arena_array(run->scratch, strike *, most)};
    if (!all->strikes || !all->velocity || !all->offset || !all->first || !all->now)
        return false;
    for (size_t i = 0; i < most; i++)
        if (pair_of_contact(run->problem, &run->problem->contacts[run_contacts(run)[i]])->stiffness == 0)
            all->strikes[all->count++] = make_strike(run, run_contacts(run)[i]);
    for (size_t i = 0; i < bodies; i++) {
        uint32_t slot = run_bodies(run)[i];
        all->velocity[i] = (body_velocity){run->problem->velocity[slot], run->problem->spin[slot]};
        all->offset[i] = (body_velocity){{0, 0, 0}, {0, 0, 0}};
    }
    sort_items(all->strikes, all->count, sizeof *all->strikes, compare_strikes);
    return true;
}

// ------------------------------------------------------------------------------------------------------------- rounds

// The points of one pair are struck together; when, by the first of them that closes.
static size_t end_of_pair(const striking *all, size_t begin)
{
    const strike *s = all->strikes;
    size_t end = begin + 1;
    while (end < all->count && s[end].id[0] == s[begin].id[0] && s[end].id[1] == s[begin].id[1])
        end++;
    return end;
}

static double time_of_pair(const striking *all, size_t begin, size_t end)
{
    double step = all->run->problem->step, first = HUGE_VAL;
    for (size_t i = begin; i < end; i++) {
        strike *s = &all->strikes[i];
        double gap = gap_of(all, s);
        s->speed = speed_of(all, s);
        s->closes = s->speed < -s->least && gap + step * s->speed <= 0;
        if (s->closes)
            first = fmin(first, fmax(0, gap) / -s->speed);
    }
    for (size_t i = begin; i < end; i++)
        all->strikes[i].time = first;
    return first;
}

static double first_of_bodies(const striking *all, const strike *s)
{
    double first = HUGE_VAL;
    for (int k = 0; k < 2; k++)
        if (s->place[k] != NO_BODY)
            first = fmin(first, all->first[s->place[k]]);
    return first;
}

// Takes the pairs that close before all others of either body.
static void take_first(striking *all)
{
    double slack = simultaneous * all->run->problem->step;
    for (size_t i = 0; i < all->run->island->body_count; i++)
        all->first[i] = HUGE_VAL;
    for (size_t begin = 0, end; begin < all->count; begin = end) {
        const strike *s = &all->strikes[begin];
        end = end_of_pair(all, begin);
        double time = time_of_pair(all, begin, end);
        for (int k = 0; k < 2; k++)
            if (s->place[k] != NO_BODY)
                all->first[s->place[k]] = fmin(all->first[s->place[k]], time);
    }
    all->now_count = 0;
    for (size_t i = 0; i < all->count; i++) {
        strike *s = &all->strikes[i];
        if (s->closes && s->time <= first_of_bodies(all, s) + slack)
            all->now[all->now_count++] = s;
    }
}

// Gauss-Seidel: exact at once for pairs of balls, and in few sweeps for what is struck together. False where it does
// not come to an end: what is caught between immovable bodies has no solution.
static bool strike_together(striking *all)
{
    double fastest = 0;
    for (size_t i = 0; i < all->now_count; i++) {
        strike *s = all->now[i];
        s->goal = -s->restitution * s->speed;
        s->impulse = 0;
        if (++s->strikes > MOST_STRIKES)
            return false;
        s->most = fmax(s->most, s->goal);
        fastest = fmax(fastest, -s->speed);
    }
    double change = HUGE_VAL;
    for (int sweep = 0; sweep < MOST_SWEEPS && change > settled * fastest; sweep++) {
        change = 0;
        all->looks += all->now_count;
        for (size_t i = 0; i < all->now_count; i++) {
            strike *s = all->now[i];
            double impulse = fmax(0, s->impulse + (s->goal - speed_of(all, s)) / s->mobility);
            change = fmax(change, fabs(impulse - s->impulse) * s->mobility);
            push(all, s, impulse - s->impulse);
            s->impulse = impulse;
        }
    }
    for (size_t i = 0; i < all->now_count; i++) {
        strike *s = all->now[i];
        s->given += s->impulse;
        s->pushing += s->impulse * (all->timed ? 1 - s->time / all->run->problem->step : 1);
    }
    return change <= unsettled * fastest;
}

static void raise_least(striking *all)
{
    double fastest = 0;
    for (size_t i = 0; i < all->count; i++)
        fastest = fmax(fastest, -speed_of(all, &all->strikes[i]));
    for (size_t i = 0; i < all->count; i++)
        all->strikes[i].least = fmax(all->strikes[i].least, still * fastest);
}

// A contact is not asked for more than its own restitution: joints, friction and springs, which impacts do not know,
// may hold what others have driven away from it.
static void give_back(const striking *all, contact_rebound *rebounds)
{
    const step_problem *problem = all->run->problem;
    for (size_t i = 0; i < all->count; i++) {
        const strike *s = &all->strikes[i];
        bool asked = s->strikes > 0 && is_asked(problem, &problem->contacts[s->index]);
        double speed = fmin(s->most, speed_of(all, s)), flight = -along_normal(s, all->offset) / problem->step;
        if (asked) // bodies come no nearer than to touch
            flight = fmin(flight, fmax(0, s->gap) / problem->step + speed);
        rebounds[s->index] = (contact_rebound){
            .struck = asked, .speed = speed, .flight = flight, .impulse = s->given, .pushing = s->pushing};
        all->run->flies |= asked && all->timed;
    }
}

// Round after round until nothing closes. False where that has no end.
static bool strike_all(striking *all)
{
    while (all->looks < MOST_LOOKS + MOST_LOOKS_EACH * all->count) {
        all->looks += all->count;
        take_first(all);
        if (all->now_count == 0)
            return true;
        if (!strike_together(all))
            return false;
    }
    return false;
}

// Each contact by its own approach, as if it were alone.
static void strike_alone(const island_run *run, contact_rebound *rebounds)
{
    for (size_t i = 0; i < run->island->contact_count; i++) {
        uint32_t index = run_contacts(run)[i];
        double speed = contact_rebound_speed(run->problem, &run->problem->contacts[index]);
        rebounds[index] = (contact_rebound){.struck = speed > 0, .speed = speed};
    }
}

bool impacts_find(island_run *run, contact_rebound *rebounds)
{
    for (size_t i = 0; i < run->island->contact_count; i++)
        rebounds[run_contacts(run)[i]] = (contact_rebound){0};
    if (!any_contact(run, contact_rebounds) && !run->island->flies)
        return true;
    arena_mark before = arena_get_mark(run->scratch);
    striking all;
    if (!list_strikes(run, &all))
        return false;
    raise_least(&all);
    bool solved = may_come_in_order(run) && strike_all(&all);
    if (solved)
        give_back(&all, rebounds);
    else
        strike_alone(run, rebounds);
    arena_release(run->scratch, before);
    if (solved)
        impacts_start(run, true);
    return true;
}

void impacts_start(const island_run *run, bool moving)
{
    const step_problem *problem = run->problem;
    for (size_t i = 0; i < run->island->contact_count; i++) {
        const contact_rebound *of = &problem->rebounds[run_contacts(run)[i]];
        contact *c = &problem->contacts[run_contacts(run)[i]];
        if (of->struck)
            c->impulse = vec3f_from(vec3_scale(vec3_from_f(c->normal), moving ? of->pushing : of->impulse));
    }
}
