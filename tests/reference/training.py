"""Fixtures of training: losses, optimizers, learning rates. As JSON: they are few numbers."""

import torch
import transformers as hf
from torch.nn import functional as F

from common import NO_LABEL, numbers, seed, write_lines


def make_losses():
    seed("losses")
    few, large = torch.randn(5, 7) * 2, torch.randn(5, 7) * 60
    ids = torch.tensor([3, 0, 6, NO_LABEL, 3])
    no_threes = {"targets": ids.clamp(min=0), "ignore_index": 3}
    probabilities = {"targets": torch.softmax(torch.randn(5, 7), 1)}
    weights = {"weights": torch.rand(7) + 0.25}
    smooth = {"smoothing": 0.1}
    cases = []
    for reduction in ("mean", "sum", "none"):
        for logits, case in (
            (few, {}),
            (few, smooth),
            (few, weights),
            (few, weights | smooth),
            (few, no_threes),
            (few, no_threes | weights | smooth),
            (few, probabilities),
            (few, probabilities | smooth),
            (few, probabilities | weights | smooth),
            (large, {}),
            (large, smooth),
        ):
            usual = {"targets": ids, "weights": None, "ignore_index": NO_LABEL, "smoothing": 0}
            case = usual | case
            x = logits.clone().requires_grad_()
            loss = F.cross_entropy(
                x,
                case["targets"],
                weight=case["weights"],
                ignore_index=case["ignore_index"],
                label_smoothing=case["smoothing"],
                reduction=reduction,
            )
            upstream = torch.randn_like(loss) if reduction == "none" else torch.ones(())
            (gradient,) = torch.autograd.grad(loss, x, upstream)
            case |= {"logits": x, "loss": loss, "upstream": upstream, "gradient": gradient}
            listed = {
                k: v.tolist() if k == "targets" and v.dtype == torch.long else numbers(v)
                for k, v in case.items()
                if isinstance(v, torch.Tensor)
            }
            cases.append({"reduction": reduction} | case | listed)
    write_lines("losses.json", "[", cases, "]")


def make_optimizers():
    seed("optimizers")
    initial = torch.randn(5)
    # Gradients that shrink, so that AMSGrad's largest second moment is not the current one; and a
    # tiny one, so that epsilon matters.
    gradients = torch.randn(20, 5) * torch.logspace(0, -2, 20)[:, None]
    gradients[:, 4] *= 1e-7
    usual = {"lr": 0.05, "betas": [0.9, 0.999], "eps": 1e-8, "weight_decay": 0, "amsgrad": False}
    forgetful = usual | {"betas": [0.9, 0.9]}
    cases = []
    for kind, settings in (
        ("Adam", usual),
        ("Adam", usual | {"betas": [0.9, 0.98], "eps": 1e-9}),
        ("Adam", usual | {"weight_decay": 0.1}),
        ("Adam", forgetful),
        ("Adam", forgetful | {"amsgrad": True}),
        ("AdamW", usual | {"weight_decay": 0.1}),
        ("AdamW", forgetful | {"weight_decay": 0.1, "amsgrad": True}),
    ):
        value = initial.clone().requires_grad_()
        optimizer = getattr(torch.optim, kind)([value], **settings)
        values = []
        for gradient in gradients:
            value.grad = gradient.clone()
            optimizer.step()
            values.append(numbers(value))
        cases.append({"kind": kind} | settings | {"values": values})
    ends = torch.tensor([case["values"][-1] for case in cases])
    nearest = min((a - b).abs().max().item() for i, a in enumerate(ends) for b in ends[:i])
    print(f"optimizers\n    {nearest:8.1e}  between the two most alike")
    assert nearest > 1e-3
    given = f'"initial": {numbers(initial)}, "gradients": {numbers(gradients)}'
    write_lines("optimizers.json", f'{{{given}, "cases": [', cases, "]}")


def make_schedules():
    """rates[n]: the rate after n steps of the scheduler, as our rate of step n."""
    total = {"num_training_steps": 20}
    kinds = {
        "constant": (hf.get_constant_schedule_with_warmup, {}),
        "linear": (hf.get_linear_schedule_with_warmup, total),
        "cosine": (hf.get_cosine_schedule_with_warmup, total),
        "inverse_sqrt": (hf.get_inverse_sqrt_schedule, {}),
    }
    cases = []
    for kind, (schedule, settings) in kinds.items():
        # Without a warm-up, that of the inverse square root has a time scale of its own.
        for warmup in (5,) if kind == "inverse_sqrt" else (0, 5):
            optimizer = torch.optim.SGD([torch.zeros(1)], lr=0.01)
            scheduler = schedule(optimizer, num_warmup_steps=warmup, **settings)
            rates = [*scheduler.get_last_lr()]
            for _ in range(20):
                optimizer.step()
                scheduler.step()
                rates += scheduler.get_last_lr()
            case = {"kind": kind, "warmup": warmup, "total": 20, "rate": 0.01, "rates": rates}
            cases.append(case)
    write_lines("schedules.json", "[", cases, "]")
