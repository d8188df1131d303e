#include "op.h"
#include "f4.h"
#include "stored.h"

static gf_error shape(tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  const tensor *table = x[0], *ids = x[1];
  if (table->rank != 2 || ids->rank == GF_MAX_RANK) return GF_ESHAPE;
  if (is_stored(table) && table->along != 1) return GF_ENODE;
  shape_like(y, ids);
  axis_like(y, y->rank++, table, 1);
  role_like(y, table);
  y->rows = table->shape[0];
  y->work = (double)ids->size * table->shape[1] * WORK_MOVED;
  return GF_OK;
}

/* y[i] = table[ids[i]] */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  const tensor *table = x[0], *ids = x[1];
  size_t width = (size_t)table->shape[1];
  const range part = gfi_part_of(y, ids->size, 1);
  for (size_t i = part.first; i < part.first + part.count; i++) {
    const size_t row = row_of_id(ids, i, y->rows);
    if (is_stored(table))
      gfi_stored_row(y->value + i * width, stored_of(table), row);
    else
      memcpy(y->value + i * width, table->value + row * width, width * sizeof *y->value);
  }
}

/* y[i] = table[ids[i]]  =>  dtable[ids[i]] += dy[i]. Ids may name a row twice: a part has some columns. */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  const tensor *table = x[0], *ids = x[1];
  if (!table->grad) return;
  size_t width = (size_t)table->shape[1];
  const range part = gfi_part_of(y, width, TOGETHER);
  const size_t end = part.first + part.count;
  for (size_t i = 0; i < ids->size; i++) {
    const float *dy = y->grad + i * width;
    float *dtable = table->grad + row_of_id(ids, i, y->rows) * width;
    for (size_t c = part.first; c < end; c++) dtable[c] += dy[c];
  }
}

const op gfi_op_embed = {OP_embed, shape, forward, backward};

/* Looks up a row per id.
 *   table [V,C], ids [...]  ->  y [...,C]       y[i] = table[ids[i]]
 * ids in 0..V-1, checked by gf_forward.  At most rank 3 ids.  Gradient: dtable[ids[i]] += dy[i]. */
int gf_embed(gf_tape *t, int table, int ids, const char *name) {
  return gfi_push(t, &gfi_op_embed, (int[]){table, ids}, (attributes){0}, name);
}
