"""Writes fixtures/: outputs and gradients of PyTorch and transformers, for the tests to agree with.

Run by hand, on a CPU; the tests read only what is committed:
    python3.11 -m venv build/torch
    build/torch/bin/pip install -r tests/reference/requirements.txt
    build/torch/bin/python -B tests/reference/make.py

A second run on the same machine writes the same bytes. Each fixture is also checked, and the
findings printed: what a test should notice (a mask left out, another epsilon, another activation)
must move an output far more than the tests tolerate (1e-5 in values, 1e-4 in gradients), and
float32's own noise, measured against float64, far less.
"""

import shutil

import torch
import transformers as hf
from torch.nn.attention import SDPBackend, sdpa_kernel

from checkpoints import make_berts, make_language_models, make_marians, make_odd
from common import FIXTURES
from layers import make_layers
from training import make_losses, make_optimizers, make_schedules

torch.set_num_threads(1)  # more would add in another order
hf.logging.set_verbosity_error()
hf.logging.disable_progress_bar()
shutil.rmtree(FIXTURES, ignore_errors=True)
(FIXTURES / "torch").mkdir(parents=True)
with sdpa_kernel(SDPBackend.MATH):  # the CPU's fused attention has a coarser exp
    make_layers()
    make_language_models()
    make_berts()
    make_marians()
    make_odd()
make_losses()
make_optimizers()
make_schedules()
