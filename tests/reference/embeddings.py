"""Writes fixtures/embeddings.json: means of what transformers' BERT makes of tokens, of length 1.

    build/torch/bin/python -B tests/reference/embeddings.py
"""

import json
from pathlib import Path

import torch
import transformers as hf

FIXTURES = Path(__file__).parent / "fixtures"
IDS = [[3, 17, 5, 29, 8], [11, 2], [37, 37, 1, 30, 4, 9, 21]]

cases = []
for family in ("bert", "distilbert-odd-0", "roberta-odd-0"):
    model = hf.AutoModel.from_pretrained(FIXTURES / family, dtype=torch.float32).double().eval()
    for ids in IDS:
        ids = [3 + i % (model.config.vocab_size - 3) for i in ids]
        with torch.no_grad():
            rows = model(torch.tensor([ids])).last_hidden_state[0]
        for pooling, vector in (("mean", rows.mean(0)), ("first", rows[0])):
            cases.append(
                {
                    "family": family,
                    "ids": ids,
                    "pooling": pooling,
                    "raw": vector.tolist(),
                    "normalized": (vector / vector.norm()).tolist(),
                }
            )
(FIXTURES / "embeddings.json").write_text(json.dumps(cases) + "\n")
