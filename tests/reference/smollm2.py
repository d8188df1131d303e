"""Writes fixtures/smollm2.json: what transformers computes of the weights of SmolLM2's GGUF, dequantised.

    build/torch/bin/pip install accelerate gguf
    build/torch/bin/python -B tests/reference/smollm2.py build/models/smollm2.gguf
"""

import json
import sys
from pathlib import Path

import torch
import transformers as hf

FIXTURES = Path(__file__).parent / "fixtures"
TOKENS = 64
EACH = 61  # so many logits apart are kept
TEXTS = [
    "The cat sat on the mat, didn't it?",
    "  two  spaces, 1234 and\n\n\tlines\r\n",
    "Là-bas, l'été était très chaud — 25 °C.",
    "猫が座った。 Привет, мир! 😀😀",
    "def f(x):\n    return x ** 2  # a power",
    "<|im_start|>user\nHi<|im_end|>\n",
    "",
]
PROMPTS = ["The cat sat on the", "Gravity is", "def fibonacci(n):\n"]

torch.set_num_threads(2)
hf.logging.set_verbosity_error()
file = Path(sys.argv[1])
where = {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
model = hf.AutoModelForCausalLM.from_pretrained(**where, dtype=torch.float32).eval()
tokenizer = hf.AutoTokenizer.from_pretrained(**where)


@torch.no_grad()
def told(prompt):
    ids = tokenizer(prompt, add_special_tokens=False)["input_ids"]
    logits = model(torch.tensor([ids])).logits[0, -1]
    tokens = list(ids)
    least = float("inf")
    for _ in range(TOKENS):
        values, found = torch.topk(model(torch.tensor([tokens])).logits[0, -1], 2)
        tokens.append(int(found[0]))
        least = min(least, float(values[0] - values[1]))
    print(f"{prompt!r}: the best logit leads by {least:.1e} at least")
    return {
        "prompt": prompt,
        "ids": ids,
        "logits": [float(f"{x:.8g}") for x in logits[::EACH].tolist()],
        "tokens": tokens[len(ids) :],
    }


fixture = {
    "each": EACH,
    "texts": [[text, tokenizer(text, add_special_tokens=False)["input_ids"]] for text in TEXTS],
    "prompts": [told(prompt) for prompt in PROMPTS],
}
(FIXTURES / "smollm2.json").write_text(json.dumps(fixture) + "\n")
