/* SPDX-License-Identifier: MIT */
/* picture - how much light of each tint fell on each pixel, developed into colours and written as a PNG file. */
#ifndef PICTURE_H
#define PICTURE_H

#include <string>
#include <vector>

enum { WIDTH = 1600, HEIGHT = 1000 };

/* Light has TINTS numbers for each pixel, row by row. Returns false, with errno, if the file cannot be written. */
bool picture_write(const std::string &path, const std::vector<unsigned> &light);

#endif
