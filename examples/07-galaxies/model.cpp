// SPDX-License-Identifier: MIT
// model - see model.h.
#include "model.h"

#include <cmath>
#include <cstdint>
#include <cstddef>

namespace {

const double PI = 3.14159265358979323846;
const double NEAREST = 2.4;       // between the centres, when they are nearest
const double ECCENTRICITY = 0.75; // of their orbit; at 1 they would not come back
const double BEFORE = 7;          // time until they are nearest
const double LARGEST = 1.9;       // radius of a disc
const double SCALE = 0.75;        // in which a disc's density falls to 1/e
const double BULGE = 0.12;        // share of the stars that are around the centre, on orbits of all directions

// A generator of its own: what std::uniform_real_distribution gives differs between libraries.
class dice {
public:
  double roll() { // 0 <= result < 1
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) / 9007199254740992.0;
  }

private:
  std::uint64_t state = 1972;
};

struct galaxy {
  double slant, node; // of its disc to the plane of the orbit: by how much, and around which line
};

const galaxy galaxies[2] = { { 0.25, 0.6 }, { 0.35, 2.4 } };

vector turn(const vector &v, double slant, double node) {
  double y = v.y * std::cos(slant) - v.z * std::sin(slant), z = v.y * std::sin(slant) + v.z * std::cos(slant);
  vector turned = { static_cast<float>(v.x * std::cos(node) - y * std::sin(node)),
                    static_cast<float>(v.x * std::sin(node) + y * std::cos(node)), static_cast<float>(z) };
  return turned;
}

struct star {
  vector at, velocity;
};

// On a circle of this radius: the centre's pull holds it there.
star on_circle(double radius, double angle) {
  double speed = radius / std::pow(radius * radius + SOFTENING, 0.75);
  star result = { { static_cast<float>(radius * std::cos(angle)), static_cast<float>(radius * std::sin(angle)), 0 },
                  { static_cast<float>(-speed * std::sin(angle)), static_cast<float>(speed * std::cos(angle)), 0 } };
  return result;
}

star tilted(star flat, double slant, double node) {
  star result = { turn(flat.at, slant, node), turn(flat.velocity, slant, node) };
  return result;
}

double disc_radius(dice &dice) {
  for (;;) {
    double radius = -SCALE * std::log((1 - dice.roll()) * (1 - dice.roll()));
    if (radius > 0.08 && radius < LARGEST)
      return radius;
  }
}

star place(dice &dice, const galaxy &galaxy, bool in_bulge, double *radius_out) {
  double angle = 2 * PI * dice.roll();
  double radius = in_bulge ? 0.03 + 0.45 * std::pow(dice.roll(), 2) : disc_radius(dice);
  double slant = in_bulge ? std::acos(2 * dice.roll() - 1) : 0.06 * (dice.roll() - 0.5);
  star flat = tilted(on_circle(radius, angle), slant, 2 * PI * dice.roll());
  *radius_out = in_bulge ? 0 : radius;
  return tilted(flat, galaxy.slant, galaxy.node);
}

void add(vector *sum, const vector &more) {
  sum->x += more.x;
  sum->y += more.y;
  sum->z += more.z;
}

} // namespace

// ---- the orbit -----------------------------------------------------------------------------------------------

namespace {

struct orbit {
  double x, y, u, v; // from the second centre to the first; both have the same mass
};

void advance(orbit &o, double step) {
  double square = o.x * o.x + o.y * o.y, pull = 2 / (square * std::sqrt(square));
  o.u -= step * pull * o.x;
  o.v -= step * pull * o.y;
  o.x += step * o.u;
  o.y += step * o.v;
}

orbit at_beginning(double until_nearest) {
  orbit o = { NEAREST, 0, 0, -std::sqrt(2 * (1 + ECCENTRICITY) / NEAREST) }; // nearest, and then backwards
  for (double t = 0; t < until_nearest; t += TIME_STEP)
    advance(o, TIME_STEP);
  o.u = -o.u;
  o.v = -o.v;
  return o;
}

star half(const orbit &o, double sign) {
  star result = { { static_cast<float>(sign * o.x / 2), static_cast<float>(sign * o.y / 2), 0 },
                  { static_cast<float>(sign * o.u / 2), static_cast<float>(sign * o.v / 2), 0 } };
  return result;
}

} // namespace

void model_populate(std::vector<float> &stars, std::vector<unsigned char> &tints) {
  dice dice;
  const orbit o = at_beginning(BEFORE);
  const star centre[2] = { half(o, 1), half(o, -1) };
  const std::size_t count = tints.size();
  for (std::size_t i = 0; i < count; i++) {
    std::size_t which = i % 2;
    bool in_bulge = dice.roll() < BULGE;
    double radius;
    star star = place(dice, galaxies[which], in_bulge, &radius);
    add(&star.at, centre[which].at);
    add(&star.velocity, centre[which].velocity);
    const float numbers[NUMBERS] = { star.at.x,       star.at.y,       star.at.z,
                                     star.velocity.x, star.velocity.y, star.velocity.z };
    for (std::size_t row = 0; row < NUMBERS; row++)
      stars[row * count + i] = numbers[row];
    int zone = in_bulge ? 0 : radius < 0.7 + 0.4 * dice.roll() ? 1 : 2;
    tints[i] = static_cast<unsigned char>(zone == 0 ? 0 : 2 * zone - 1 + static_cast<int>(which));
  }
}

std::vector<centres> model_orbit(int steps) {
  std::vector<centres> path(static_cast<std::size_t>(steps));
  orbit o = at_beginning(BEFORE);
  for (centres &row : path) {
    row.first = half(o, 1).at;
    row.second = half(o, -1).at;
    advance(o, TIME_STEP);
  }
  return path;
}
