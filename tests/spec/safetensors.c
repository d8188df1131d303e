/* gf_safetensors_open: what it finds in files, and why it refuses others. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#define TENSOR(shape, begin, end)                                                                  \
  "{\"dtype\":\"F32\",\"shape\":[" shape "],\"data_offsets\":[" begin "," end "]}"

/* A file of this header and so many bytes of numbers, in memory of exactly its size. */
static unsigned char *file_of(const char *header, size_t data, size_t *size) {
  const size_t length = strlen(header);
  *size = 8 + length + data;
  unsigned char *file = room(*size, 0);
  memset(file, 0, *size);
  for (int i = 0; i < 8; i++) file[i] = (unsigned char)((uint64_t)length >> (8 * i) & 0xff);
  for (size_t i = 0; i < length; i++) file[8 + i] = (unsigned char)header[i];
  return file;
}

static int error_of(gf_safetensors *file, const void *bytes, size_t size) {
  const size_t needed = gf_safetensors_open(file, bytes, size, NULL);
  if (!needed) return file->error;
  const size_t used = gf_safetensors_open(file, bytes, size, room(needed, 0));
  EXPECT(used ? used == needed && !file->error : file->error);
  return file->error;
}

static void check_refused(int error, const char *header, size_t data) {
  gf_safetensors file;
  size_t size;
  const unsigned char *bytes = file_of(header, data, &size);
  const int is = error_of(&file, bytes, size);
  if (is != error) complain("%.60s: error %d, not %d", header, is, error);
  EXPECT(gf_file_error_text(error) && *gf_file_error_text(error));
}

static void check_found(void) {
  gf_safetensors file;
  size_t size;
  char name[16];
  const unsigned char *bytes =
      file_of(" { \"b\" :" TENSOR(
                  "1", "4 ", " 8") " ,\t\"\\u0061\\ud83d\\ude00\xc3\xa9\":"
                                   "{\"shape\":[],\"data_offsets\":[0,4],\"dtype\":\"\\u004632\"},"
                                   "\"__metadata__\":{\"k\":\"v\\n\\\"\"}}\r\n ",
              8, &size);
  EXPECT_INT(error_of(&file, bytes, size), GF_FILE_OK);
  if (harness_complaint()) return;
  EXPECT(file.count == 2 && file.note_count == 1 && file.data == size - 8);
  const gf_safetensor *b = gf_safetensors_find(&file, bytes, "b");
  const gf_safetensor *a = gf_safetensors_find(&file, bytes, "a\xf0\x9f\x98\x80\xc3\xa9");
  EXPECT(b == &file.tensors[0] && a == &file.tensors[1]);
  EXPECT(b->rank == 1 && b->shape[0] == 1 && b->begin == 4 && b->end == 8);
  EXPECT(a->rank == 0 && a->begin == 0 && a->end == 4);
  EXPECT_TEXT(a->dtype, "F32");
  EXPECT(!gf_safetensors_find(&file, bytes, "") && !gf_safetensors_find(&file, bytes, "bb"));
  EXPECT_INT(gf_file_string(bytes, a->name, name), 7);
  EXPECT_TEXT(name, "a\xf0\x9f\x98\x80\xc3\xa9");
  EXPECT_INT(gf_file_string(bytes, file.notes[0].value, name), 3);
  EXPECT_TEXT(name, "v\n\"");
  bytes = file_of("{}", 0, &size);
  EXPECT_INT(error_of(&file, bytes, size), GF_FILE_OK);
  EXPECT(file.count == 0 && file.note_count == 0);
}

/* A header of 200 tensors, last one first, so that both orders have work. */
static void check_many(void) {
  enum { MANY = 200 };
  static char header[MANY * 100];
  char *to = header;
  for (int i = MANY; i-- > 0;)
    to += sprintf(to, "%c\"t%d\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[%d,%d]}",
                  i == MANY - 1 ? '{' : ',', i, 4 * i, 4 * i + 4);
  strcpy(to, "}");
  gf_safetensors file;
  size_t size;
  const unsigned char *bytes = file_of(header, (size_t)4 * MANY, &size);
  EXPECT_INT(error_of(&file, bytes, size), GF_FILE_OK);
  EXPECT(!harness_complaint() && file.tensors[0].begin == 4 * (MANY - 1));
  strstr(header, "\"t7\"")[2] = '8';
  bytes = file_of(header, (size_t)4 * MANY, &size);
  EXPECT_INT(error_of(&file, bytes, size), GF_FILE_KEY_TWICE);
}

static void check_null_notes(void) {
  gf_safetensors file;
  size_t size;
  const unsigned char *bytes = file_of("{\"__metadata__\": null }", 0, &size);
  EXPECT_INT(error_of(&file, bytes, size), GF_FILE_OK);
  EXPECT(file.note_count == 0 && file.count == 0);
}

static void check_prefix(void) {
  static const unsigned char short_file[8] = {3}, huge[9] = {1, 0, 0, 0, 1};
  gf_safetensors file;
  EXPECT_INT(error_of(&file, short_file, 7), GF_FILE_TOO_SHORT);
  EXPECT_INT(error_of(&file, short_file, 8), GF_FILE_HEADER_BEYOND);
  EXPECT_INT(error_of(&file, huge, 9), GF_FILE_HEADER_TOO_LONG);
  EXPECT(file.number == ((uint64_t)1 << 32) + 1);
}

static void run(void) {
  check_null_notes();
  static const struct {
    int error;
    const char *header;
    size_t data;
  } refused[] = {
      {GF_FILE_HEADER_UTF8, "{\"\xff\"", 0},
      {GF_FILE_HEADER_UTF8, "{\"\xc0\x80\"", 0},
      {GF_FILE_HEADER_UTF8, "{\"\xed\xa0\x80\"", 0},
      {GF_FILE_HEADER_UTF8, "{\"\xf4\x90\x80\x80\"", 0},
      {GF_FILE_HEADER_UTF8, "{\"\xe2\x82", 0},
      {GF_FILE_JSON_SIGN, "", 0},
      {GF_FILE_JSON_SIGN, "[[[[", 0},
      {GF_FILE_JSON_SIGN, "{\"x\"", 0},
      {GF_FILE_JSON_SIGN, "{\"x\":1}", 0},
      {GF_FILE_JSON_STRING, "{1", 0},
      {GF_FILE_JSON_STRING, "{\"x\":{\"dtype\":[[[", 0},
      {GF_FILE_JSON_STRING, "{\"__metadata__\":{\"x\":{", 0},
      {GF_FILE_JSON_UNICODE, "{\"abc", 0},
      {GF_FILE_JSON_UNICODE, "{\"abc\\", 0},
      {GF_FILE_JSON_UNICODE, "{\"a\nb\"", 0},
      {GF_FILE_JSON_UNICODE, "{\"\\x\"", 0},
      {GF_FILE_JSON_UNICODE, "{\"\\ud800\"", 0},
      {GF_FILE_JSON_UNICODE, "{\"\\udc00\"", 0},
      {GF_FILE_JSON_UNICODE, "{\"\\ud800\\u0061\"", 0},
      {GF_FILE_JSON_UNICODE, "{\"\\u00g0\"", 0},
      {GF_FILE_JSON_INTEGER, "{\"x\":{\"shape\":[01", 0},
      {GF_FILE_JSON_INTEGER, "{\"x\":{\"shape\":[-1", 0},
      {GF_FILE_JSON_INTEGER, "{\"x\":{\"shape\":[1.0", 0},
      {GF_FILE_JSON_INTEGER, "{\"x\":{\"shape\":[1e3", 0},
      {GF_FILE_JSON_INTEGER, "{\"x\":{\"shape\":[9007199254740992", 0},
      {GF_FILE_JSON_INTEGER, "{\"x\":{\"shape\":[18446744073709551617", 0},
      {GF_FILE_JSON_INTEGER, "{\"x\":{\"shape\":[[[[", 0},
      {GF_FILE_JSON_END, "{}}", 0},
      {GF_FILE_KEY_TWICE, "{\"x\":" TENSOR("1", "0", "4") ",\"\\u0078\":" TENSOR("1", "4", "8") "}",
       8},
      {GF_FILE_KEY_TWICE, "{\"__metadata__\":{\"a\":\"1\",\"\\u0061\":\"2\"}}", 0},
      {GF_FILE_KEY_TWICE, "{\"__metadata__\":{},\"__metadata__\":{}}", 0},
      {GF_FILE_KEY_TWICE, "{\"__metadata__\":null,\"__metadata__\":{}}", 0},
      {GF_FILE_JSON_SIGN, "{\"__metadata__\":nul", 0},
      {GF_FILE_JSON_SIGN, "{\"__metadata__\":nulls}", 0},
      {GF_FILE_KEY_TWICE, "{\"x\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", 0},
      {GF_FILE_KEY_UNKNOWN, "{\"x\":{\"more\":1}}", 0},
      {GF_FILE_FIELDS, "{\"x\":{}}", 0},
      {GF_FILE_FIELDS, "{\"x\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4},
      {GF_FILE_FIELDS, "{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0]}}", 4},
      {GF_FILE_DTYPE, "{\"x\":{\"dtype\":\"f32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4},
      {GF_FILE_DTYPE, "{\"x\":{\"shape\":[1],\"data_offsets\":[0,4]}}", 4},
      {GF_FILE_TOO_MANY, "{\"x\":{\"data_offsets\":[0,4,8]}}", 4},
      {GF_FILE_SHAPE, "{\"x\":" TENSOR("9007199254740991,9007199254740991", "0", "4") "}", 4},
      {GF_FILE_OFFSETS, "{\"x\":" TENSOR("2", "0", "4") "}", 4},
      {GF_FILE_OFFSETS, "{\"x\":" TENSOR("1", "4", "0") "}", 4},
      {GF_FILE_OVERLAP, "{\"x\":" TENSOR("2", "0", "8") ",\"y\":" TENSOR("1", "4", "8") "}", 8},
      {GF_FILE_HOLE, "{\"x\":" TENSOR("1", "4", "8") "}", 8},
      {GF_FILE_BEYOND, "{\"x\":" TENSOR("1", "0", "4") "}", 3},
      {GF_FILE_TRAILING, "{\"x\":" TENSOR("1", "0", "4") "}", 5},
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    check_refused(refused[i].error, refused[i].header, refused[i].data);
  check_prefix();
  check_found();
  check_many();
}

const spec spec_safetensors = {"safetensors", run};
