/* Why files are refused. */
#include "glassformer.h"

static const char *const sentences[GF_FILE_ERRORS] = {
    [GF_FILE_OK] = "",
    [GF_FILE_TOO_SHORT] = "shorter than the length of a header",
    [GF_FILE_HEADER_TOO_LONG] = "the header is longer than 100,000,000 bytes",
    [GF_FILE_HEADER_BEYOND] = "the header ends beyond the file",
    [GF_FILE_HEADER_UTF8] = "the header is not UTF-8",
    [GF_FILE_JSON_SIGN] = "header: a sign is missing",
    [GF_FILE_JSON_STRING] = "header: expected a string",
    [GF_FILE_JSON_UNICODE] = "header: expected a string of Unicode",
    [GF_FILE_JSON_INTEGER] = "header: expected an integer from 0 to 2^53 - 1",
    [GF_FILE_JSON_END] = "header: expected nothing more",
    [GF_FILE_KEY_TWICE] = "header: a key comes twice",
    [GF_FILE_KEY_UNKNOWN] = "a tensor has a key besides dtype, shape and data_offsets",
    [GF_FILE_FIELDS] = "a tensor lacks dtype, shape or data_offsets",
    [GF_FILE_DTYPE] = "a tensor has an unknown dtype",
    [GF_FILE_TOO_MANY] = "a tensor has too many dimensions or offsets",
    [GF_FILE_SHAPE] = "a tensor has more than 2^53 - 1 bytes",
    [GF_FILE_OFFSETS] = "a tensor's offsets do not fit its shape",
    [GF_FILE_OVERLAP] = "two tensors overlap",
    [GF_FILE_HOLE] = "bytes between tensors belong to none",
    [GF_FILE_BEYOND] = "a tensor ends beyond the file",
    [GF_FILE_TRAILING] = "bytes behind the last tensor belong to none",
    [GF_FILE_FOREIGN] = "expected a file of model.save(), or a GGUF",
    [GF_FILE_CONFIG] = "the config is not that of a model",
    [GF_FILE_PARAMETER] = "a parameter of the model is missing, or has another shape or type",
    [GF_FILE_VERSION] = "GGUF: expected version 2 or 3",
    [GF_FILE_COUNT] = "GGUF: a count is larger than the header",
    [GF_FILE_NAME] = "GGUF: expected printable ASCII in keys and names",
    [GF_FILE_VALUE] = "GGUF: a value has an unknown type",
    [GF_FILE_NESTED] = "GGUF: arrays are nested more than 4 deep",
    [GF_FILE_PARTS] = "GGUF: the file is one of several parts; join them by llama-gguf-split",
    [GF_FILE_DIMENSIONS] = "GGUF: expected 1 to 4 dimensions, each 1 or more",
    [GF_FILE_STORED] = ("GGUF: a tensor is stored in another type than Q4_0, Q4_1, Q5_0, Q5_1, "
                        "Q8_0, Q4_K, Q5_K, Q6_K, F16, BF16, F32 and F64"),
    [GF_FILE_BLOCKS] = "GGUF: rows are no whole blocks of their type",
    [GF_FILE_ARCHITECTURE] =
        "GGUF: general.architecture: expected llama, qwen2, qwen3, gptneox or gpt2",
    [GF_FILE_SETTING] = "GGUF: a setting is unknown, or has a value that is not computed here",
    [GF_FILE_MISSING] =
        "GGUF: a size, the factor of linear scaling, or the tensor token_embd.weight is missing",
    [GF_FILE_TENSOR] = "GGUF: a tensor is no parameter of the model",
};

const char *gf_file_error_text(int error) {
  return error >= 0 && error < GF_FILE_ERRORS ? sentences[error] : NULL;
}
