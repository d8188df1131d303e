#include "patch.h"
#include "gemm.h"

range gfi_part_of(const tensor *y, size_t n, size_t unit) {
  if (y->parts) {
    /* Products of two counts have 64 bits, whatever a size_t has. */
    const uint64_t units = (n + unit - 1) / unit, parts = (uint64_t)y->parts;
    const uint64_t part = (uint64_t)y->part;
    const size_t first = unit * (size_t)(units * part / parts);
    const size_t end = unit * (size_t)(units * (part + 1) / parts);
    return (range){first, (end < n ? end : n) - first};
  }
  return (range){0, n};
}

/* The rows of a unit at least: so no product takes the path for few rows but where all of it does. */
enum { ROWS = 16 };

static size_t units_below(size_t m) {
  return m < ROWS ? 1 : m / ROWS;
}

static range between(size_t first, size_t end) {
  return (range){first, end - first};
}

patches gfi_patches(const tensor *y, size_t m, size_t n) {
  const size_t units = units_below(m) * ((n + GEMM_GROUP - 1) / GEMM_GROUP);
  return (patches){m, n, y ? gfi_part_of(y, units, 1) : (range){0, units}};
}

bool gfi_next_patch(patches *all, patch *p) {
  if (!all->left.count) return false;
  const size_t below = units_below(all->m), row = all->left.first % below;
  const size_t column = all->left.first / below * GEMM_GROUP;
  const bool whole = row == 0 && all->left.count >= below;
  const size_t groups = whole ? all->left.count / below : 1, end = column + groups * GEMM_GROUP;
  size_t taken = whole ? below : below - row;
  if (taken > all->left.count) taken = all->left.count;
  p->rows = between(row * ROWS, row + taken == below ? all->m : (row + taken) * ROWS);
  p->columns = between(column, end < all->n ? end : all->n);
  all->left.first += taken * groups;
  all->left.count -= taken * groups;
  return true;
}
