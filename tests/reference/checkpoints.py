"""Fixtures of transformers: a folder as save_pretrained writes it, and what its model computes."""

import json
import shutil
import tempfile
from pathlib import Path

import torch
import transformers as hf
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn import functional as F

from common import (
    FIXTURES,
    NO_LABEL,
    double,
    must_be_quiet,
    must_move,
    padding,
    randomize,
    seed,
    weighted_sum,
    write_tensors,
)

WANTED = ("logits", "last_hidden_state", "pooler_output", "encoder_last_hidden_state")
SMALL_GPT2 = {"vocab_size": 37, "n_positions": 12, "n_embd": 16, "n_layer": 2, "n_head": 4}
SMALL_GPT2 |= {"layer_norm_epsilon": 1e-4, "bos_token_id": 36, "eos_token_id": 36}
SMALL_LLAMA = {
    "vocab_size": 34,
    "hidden_size": 24,
    "intermediate_size": 40,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 16,
    "rms_norm_eps": 1e-5,
    "rope_parameters": {"rope_type": "default", "rope_theta": 500.0},
}
SMALL_BERT = {
    "vocab_size": 38,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 24,
    "max_position_embeddings": 12,
}
SMALL_MARIAN = {
    "vocab_size": 41,
    "d_model": 16,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 24,
    "decoder_ffn_dim": 24,
    "max_position_embeddings": 12,
    "scale_embedding": True,
    "pad_token_id": 40,
    "decoder_start_token_id": 40,
}


def save_as_is(model, folder):
    """Only these two files: the rest of save_pretrained is about tokens and generation."""
    with tempfile.TemporaryDirectory() as saved:
        model.save_pretrained(saved)
        for name in ("config.json", "model.safetensors"):
            shutil.copy(Path(saved) / name, folder)


def edit(folder, config, tensors):
    """Rewrites a saved folder as older versions wrote it."""
    path = folder / "config.json"
    path.write_text(json.dumps(config(json.loads(path.read_text())), indent=2) + "\n")
    path = folder / "model.safetensors"
    save_file(tensors(load_file(path)), path, {"format": "pt"})


def save_old_gpt2(model, folder):
    """As openai-community/gpt2: no prefix, the causal mask stored, n_ctx and no n_inner."""
    save_as_is(model, folder)
    side = model.config.n_positions

    def config(c):
        return {k: v for k, v in c.items() if k not in ("n_inner", "dtype")} | {"n_ctx": side}

    def tensors(state):
        state = {k.removeprefix("transformer."): t for k, t in state.items()}
        for i in range(model.config.n_layer):
            state[f"h.{i}.attn.bias"] = torch.ones(1, 1, side, side).tril()
            state[f"h.{i}.attn.masked_bias"] = torch.tensor(-1e4)
        return state

    edit(folder, config, tensors)


def save_old_llama(model, folder):
    """As transformers 4, and so most of the hub: rope_theta is not inside rope_parameters."""
    save_as_is(model, folder)

    def config(c):
        theta = c.pop("rope_parameters")["rope_theta"]
        return c | {"torch_dtype": c.pop("dtype"), "rope_theta": theta, "rope_scaling": None}

    edit(folder, config, lambda state: state)


def save_old_bert(model, folder):
    """As google-bert/bert-base-uncased: both heads of pretraining, and norms of gamma and beta."""
    save_as_is(model, folder)

    def tensors(state):
        old = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
        for new, name in old.items():
            state = {k.replace(new, name): t for k, t in state.items()}
        return state

    edit(folder, lambda c: c | {"architectures": ["BertForMaskedLM"]}, tensors)


def load(folder, model_class, **overrides):
    """Loads the folder again, so that what is expected is expected of the files."""
    model, info = model_class.from_pretrained(
        folder, dtype=torch.float32, output_loading_info=True, **overrides
    )
    assert not info["missing_keys"] and not info["mismatched_keys"], info
    for name, module in model.named_modules():
        if isinstance(module, nn.Embedding):
            module.padding_idx = None  # it would withhold a part of the derivative
        if name.endswith("embed_positions"):
            module.requires_grad_(False)  # Marian's sinusoids, which loading thaws
    if hasattr(model, "final_logits_bias"):
        model.final_logits_bias.requires_grad_()  # no parameter to PyTorch, but one to us
    return model.eval()


def run_model(model, inputs):
    """Labels belong to the logits at their place: nothing is shifted here."""
    arguments = {k: t for k, t in inputs.items() if k.endswith(("input_ids", "type_ids"))}
    for mask, lengths, ids in (
        ("attention_mask", "lengths", "input_ids"),
        ("decoder_attention_mask", "decoder_lengths", "decoder_input_ids"),
    ):
        if lengths in inputs:
            arguments[mask] = padding(inputs[lengths], inputs[ids].shape[1])
    result = model(**arguments, use_cache=False)
    outputs = {k: result[k] for k in WANTED if k in result}
    if "labels" in inputs:
        logits, labels = outputs["logits"].flatten(0, 1), inputs["labels"].flatten()
        loss = F.cross_entropy(logits, labels, ignore_index=NO_LABEL)
    else:
        loss = weighted_sum(outputs, inputs)
    leaves = dict(model.named_parameters()) | dict(model.named_buffers())
    leaves = {k: p for k, p in leaves.items() if p.requires_grad}
    gradients = torch.autograd.grad(loss, leaves.values())
    return outputs | {"loss": loss}, {"grad." + k: g for k, g in zip(leaves, gradients)}


def make_checkpoint(family, model, inputs, experiments, save=save_as_is, load_as=None):
    print(family)
    folder = FIXTURES / family
    folder.mkdir(parents=True)
    save(model, folder)
    model_class = load_as or type(model)
    model = load(folder, model_class)
    outputs, gradients = run_model(model, inputs)
    write_tensors(folder / "expected.safetensors", inputs | outputs | gradients)

    visible = {k: t for k, t in outputs.items() if k != "loss"}
    for what in ("lengths", "decoder_lengths", "token_type_ids"):
        if what in inputs and inputs[what].unique().numel() > 1:
            rest = {k: t for k, t in inputs.items() if k != what}
            must_move(f"without {what}", visible, run_model(model, rest)[0])
    for setting, value in experiments.items():
        changed = load(folder, model_class, **{setting: value})
        # The two forms of GELU differ by less than 5e-4 anywhere, and small epsilons by little.
        least = 1e-4 if value in ("gelu", "gelu_new", 1e-5) else 1e-3
        must_move(f"{setting} {value}", visible, run_model(changed, inputs)[0], least)
    if "r.logits" not in inputs:  # a few classes may not notice what the same family's tokens do
        changed = load(folder, model_class)
        for module in changed.modules():
            for epsilon in ("eps", "variance_epsilon"):
                if hasattr(module, epsilon):
                    setattr(module, epsilon, 1e-3)
        must_move("epsilon 0.001", visible, run_model(changed, inputs)[0])
    exact = run_model(model.double(), double(inputs))
    must_be_quiet("values", outputs, exact[0], 1e-5)
    must_be_quiet("gradients", gradients, exact[1], 1e-4)


def random_model(name, model_class, config):
    seed(name)
    model = model_class(config)
    randomize(model)
    return model


def random_ids(vocab, lengths, pad):
    ids = torch.randint(1, vocab, (len(lengths), max(lengths)))
    return ids.where(padding(lengths, max(lengths)) == 1, pad)


def next_tokens(vocab, lengths, pad, start=None):
    """What a decoder reads, and what it shall say there: the next token, but not everywhere."""
    real = padding(lengths, max(lengths)) == 1
    ids = torch.randint(1, vocab, (len(lengths), max(lengths) + 1))
    if start is not None:
        ids[:, 0] = start
    labels = ids[:, 1:].where(real, NO_LABEL)
    labels[0, 1] = NO_LABEL
    return ids[:, :-1].where(real, pad), labels


def make_language_models():
    def inputs(vocab):
        lengths = torch.tensor([7, 5])
        ids, labels = next_tokens(vocab, lengths, 0)
        return {"input_ids": ids, "lengths": lengths, "labels": labels}

    experiments = {"activation_function": "gelu", "scale_attn_weights": False}
    for name, save, dtype in (
        ("gpt2", save_as_is, torch.float32),
        ("gpt2-old", save_old_gpt2, torch.float32),
        ("gpt2-f16", save_as_is, torch.float16),
        ("gpt2-bf16", save_as_is, torch.bfloat16),
    ):
        model = random_model("gpt2", hf.GPT2LMHeadModel, hf.GPT2Config(**SMALL_GPT2))
        make_checkpoint(name, model.to(dtype), inputs(37), experiments, save)

    experiments = {"rope_parameters": {"rope_type": "default", "rope_theta": 10000.0}}
    experiments |= {"hidden_act": "gelu"}
    for name, save, tied in (("llama", save_as_is, False), ("llama-tied", save_old_llama, True)):
        config = hf.LlamaConfig(**SMALL_LLAMA, tie_word_embeddings=tied)
        model = random_model(name, hf.LlamaForCausalLM, config)
        make_checkpoint(name, model, inputs(34), experiments, save)


def make_berts():
    def inputs():
        lengths = torch.tensor([7, 5])
        types = torch.tensor([[0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 1, 0, 0]])
        ids = random_ids(38, lengths, 0)
        return {"input_ids": ids, "token_type_ids": types, "lengths": lengths}

    def masked():
        """Labels where BERT was asked: at a few places."""
        x = inputs()
        labels = torch.full_like(x["input_ids"], NO_LABEL)
        labels[0, 2], labels[0, 6], labels[1, 0], labels[1, 4] = 5, 11, 23, 37
        return x | {"labels": labels}

    def config():
        return hf.BertConfig(**SMALL_BERT)

    experiments = {"hidden_act": "gelu_new"}
    model = random_model("bert", hf.BertModel, config())
    r = {"r.last_hidden_state": torch.randn(2, 7, 16), "r.pooler_output": torch.randn(2, 16)}
    make_checkpoint("bert", model, inputs() | r, experiments | {"layer_norm_eps": 1e-5})
    model = random_model("bert-masked-lm", hf.BertForMaskedLM, config())
    make_checkpoint("bert-masked-lm", model, masked(), experiments)
    model = random_model("bert-old", hf.BertForPreTraining, config())
    make_checkpoint("bert-old", model, masked(), experiments, save_old_bert, hf.BertForMaskedLM)


ODD = 3  # configurations of each family, of sizes that no lanes divide


def drawn(low, high):
    return int(torch.randint(low, high + 1, ()))


def odd_sizes(even_heads=False):
    """Heads, their size, and the rest, all small."""
    size = 2 * drawn(1, 3) if even_heads else drawn(2, 6)
    kv_heads, groups = drawn(1, 3), drawn(1, 2)
    return {
        "vocab": drawn(23, 43),
        "heads": kv_heads * groups,
        "kv_heads": kv_heads,
        "width": kv_heads * groups * size,
        "inner": drawn(7, 21),
        "layers": drawn(1, 2),
    }


def odd_llama(config_class, **more):
    def make():
        s = odd_sizes(even_heads=True)
        theta = {"rope_type": "default", "rope_theta": float(drawn(50, 5000))}
        return config_class(
            vocab_size=s["vocab"],
            hidden_size=s["width"],
            intermediate_size=s["inner"],
            num_hidden_layers=s["layers"],
            num_attention_heads=s["heads"],
            num_key_value_heads=s["kv_heads"],
            max_position_embeddings=11,
            rms_norm_eps=1e-5,
            rope_parameters=theta,
            tie_word_embeddings=bool(drawn(0, 1)),
            bos_token_id=1,
            eos_token_id=2,
            **more,
        )

    return make


def stretched(config):
    """As Llama 3 has it: pairs of channels are slow, fast, or between."""

    def make():
        made = config()
        made.rope_parameters |= {
            "rope_type": "llama3",
            "factor": float(drawn(2, 9)),
            "low_freq_factor": 1.0,
            "high_freq_factor": float(drawn(2, 5)),
            "original_max_position_embeddings": drawn(8, 90),
        }
        return made

    return make


def slowed(config):
    def make():
        made = config()
        made.rope_parameters |= {"rope_type": "linear", "factor": drawn(3, 9) / 2}
        return made

    return make


def odd_windows():
    """A window in the layers from one on."""
    config = odd_llama(hf.Qwen2Config, use_sliding_window=True, sliding_window=drawn(1, 4))()
    config.num_hidden_layers = 3
    first = drawn(0, 2)
    config.layer_types = ["full_attention"] * first + ["sliding_attention"] * (3 - first)
    return config


def odd_neo():
    s = odd_sizes()
    return hf.GPTNeoConfig(
        vocab_size=s["vocab"],
        max_position_embeddings=11,
        # Scores that nothing scales grow with the heads, and with them float32's noise.
        hidden_size=s["heads"] * drawn(2, 3),
        num_layers=3,
        num_heads=s["heads"],
        intermediate_size=s["inner"],
        attention_types=[[["global", "local", "global"], 1]],
        window_size=drawn(1, 4),
        bos_token_id=1,
        eos_token_id=2,
    )


def odd_qwen3():
    config = odd_llama(hf.Qwen3Config)()
    config.head_dim = 2 * drawn(1, 4)
    return config


def odd_neox():
    s = odd_sizes(even_heads=True)
    size = s["width"] // s["heads"]
    return hf.GPTNeoXConfig(
        vocab_size=s["vocab"],
        hidden_size=s["width"],
        num_hidden_layers=s["layers"],
        num_attention_heads=s["heads"],
        intermediate_size=s["inner"],
        max_position_embeddings=11,
        rope_parameters={
            "rope_type": "default",
            "rope_theta": float(drawn(50, 5000)),
            "partial_rotary_factor": 2 * drawn(1, size // 2) / size,
        },
        use_parallel_residual=bool(drawn(0, 3)),
        bos_token_id=1,
        eos_token_id=2,
    )


def odd_gpt2():
    s = odd_sizes()
    return hf.GPT2Config(
        vocab_size=s["vocab"],
        n_positions=11,
        n_embd=s["width"],
        n_layer=s["layers"],
        n_head=s["heads"],
        n_inner=s["inner"],
        tie_word_embeddings=bool(drawn(0, 1)),
        bos_token_id=1,
        eos_token_id=2,
    )


def odd_bert(config_class, positions=11, **more):
    def make():
        s = odd_sizes()
        return config_class(
            vocab_size=s["vocab"],
            hidden_size=s["width"],
            num_hidden_layers=s["layers"],
            num_attention_heads=s["heads"],
            intermediate_size=s["inner"],
            max_position_embeddings=positions,
            type_vocab_size=drawn(1, 3),
            **more,
        )

    return make


def odd_distilbert():
    s = odd_sizes()
    return hf.DistilBertConfig(
        vocab_size=s["vocab"],
        max_position_embeddings=11,
        dim=s["width"],
        n_layers=s["layers"],
        n_heads=s["heads"],
        hidden_dim=s["inner"],
    )


def odd_albert():
    config = odd_bert(hf.AlbertConfig)()
    config.embedding_size = drawn(3, 9)
    config.num_hidden_layers = drawn(2, 3)
    return config


def make_odd():
    lengths = torch.tensor([7, 7])

    def language(vocab):
        ids, labels = next_tokens(vocab, lengths, 0)
        return {"input_ids": ids, "lengths": lengths, "labels": labels}

    def masked(vocab):
        # RoBERTa counts positions from its padding on, which it finds by the token 1: there is none.
        ids = torch.randint(3, vocab, (2, 7))
        labels = torch.full_like(ids, NO_LABEL)
        labels[0, 2], labels[0, 6], labels[1, 0] = 5, 11, vocab - 1
        return {"input_ids": ids, "lengths": lengths, "labels": labels}

    def classes(vocab):
        # Scores of classes and their weighted sum: how many there are, the model knows.
        return {"input_ids": torch.randint(3, vocab, (2, 7)), "lengths": lengths}

    window = odd_llama(hf.MistralConfig, sliding_window=3)
    for family, model_class, config, inputs in (
        ("llama", hf.LlamaForCausalLM, odd_llama(hf.LlamaConfig), language),
        ("mistral", hf.MistralForCausalLM, window, language),
        ("llama3", hf.LlamaForCausalLM, stretched(odd_llama(hf.LlamaConfig)), language),
        ("llama-linear", hf.LlamaForCausalLM, slowed(odd_llama(hf.LlamaConfig)), language),
        ("qwen2-window", hf.Qwen2ForCausalLM, odd_windows, language),
        ("neo", hf.GPTNeoForCausalLM, odd_neo, language),
        ("qwen2", hf.Qwen2ForCausalLM, odd_llama(hf.Qwen2Config), language),
        ("qwen3", hf.Qwen3ForCausalLM, odd_qwen3, language),
        ("neox", hf.GPTNeoXForCausalLM, odd_neox, language),
        ("gpt2", hf.GPT2LMHeadModel, odd_gpt2, language),
        ("bert", hf.BertForMaskedLM, odd_bert(hf.BertConfig), masked),
        ("roberta", hf.RobertaForMaskedLM, odd_bert(hf.RobertaConfig, 13), masked),
        ("distilbert", hf.DistilBertForMaskedLM, odd_distilbert, masked),
        ("albert", hf.AlbertForMaskedLM, odd_albert, masked),
        ("bert-classes", hf.BertForSequenceClassification, odd_bert(hf.BertConfig), classes),
        ("bert-tokens", hf.BertForTokenClassification, odd_bert(hf.BertConfig), classes),
        (
            "roberta-classes",
            hf.RobertaForSequenceClassification,
            odd_bert(hf.RobertaConfig, 13),
            classes,
        ),
        ("roberta-tokens", hf.RobertaForTokenClassification, odd_bert(hf.RobertaConfig, 13), classes),
        ("distilbert-classes", hf.DistilBertForSequenceClassification, odd_distilbert, classes),
        ("distilbert-tokens", hf.DistilBertForTokenClassification, odd_distilbert, classes),
        ("albert-classes", hf.AlbertForSequenceClassification, odd_albert, classes),
        ("albert-tokens", hf.AlbertForTokenClassification, odd_albert, classes),
        ("gpt2-classes", hf.GPT2ForSequenceClassification, odd_gpt2, classes),
        ("gpt2-tokens", hf.GPT2ForTokenClassification, odd_gpt2, classes),
        ("neo-classes", hf.GPTNeoForSequenceClassification, odd_neo, classes),
        ("neo-tokens", hf.GPTNeoForTokenClassification, odd_neo, classes),
        ("neox-classes", hf.GPTNeoXForSequenceClassification, odd_neox, classes),
        ("neox-tokens", hf.GPTNeoXForTokenClassification, odd_neox, classes),
        (
            "llama-classes",
            hf.LlamaForSequenceClassification,
            odd_llama(hf.LlamaConfig),
            classes,
        ),
        ("llama-tokens", hf.LlamaForTokenClassification, odd_llama(hf.LlamaConfig), classes),
        (
            "qwen2-classes",
            hf.Qwen2ForSequenceClassification,
            odd_llama(hf.Qwen2Config),
            classes,
        ),
        ("qwen2-tokens", hf.Qwen2ForTokenClassification, odd_llama(hf.Qwen2Config), classes),
        ("qwen3-classes", hf.Qwen3ForSequenceClassification, odd_qwen3, classes),
        ("qwen3-tokens", hf.Qwen3ForTokenClassification, odd_qwen3, classes),
    ):
        for i in range(ODD):
            name = f"{family}-odd-{i}"
            seed(name)
            made = config()
            if inputs is classes:
                made.num_labels = drawn(2, 5)
                if made.pad_token_id is None:
                    made.pad_token_id = 0  # decoders look for the last token that is none
            model = model_class(made)
            randomize(model)
            given = inputs(made.vocab_size)
            if inputs is classes:
                of_tokens = model_class.__name__.endswith("ForTokenClassification")
                size = (2, 7) if of_tokens else (2,)
                given["r.logits"] = torch.randn(*size, made.num_labels)
            make_checkpoint(name, model, given, {})


def make_marians():
    for name, activation, other in (("marian", "swish", "relu"), ("marian-relu", "relu", "swish")):
        config = hf.MarianConfig(**SMALL_MARIAN, activation_function=activation)
        model = random_model(name, hf.MarianMTModel, config)
        model.final_logits_bias.normal_()
        lengths, decoder_lengths = torch.tensor([6, 4]), torch.tensor([5, 4])
        inputs = {"input_ids": random_ids(40, lengths, 40), "lengths": lengths}
        target, labels = next_tokens(40, decoder_lengths, 40, start=40)
        inputs |= {"decoder_input_ids": target, "decoder_lengths": decoder_lengths}
        inputs |= {"labels": labels}
        experiments = {"activation_function": other, "scale_embedding": False}
        make_checkpoint(name, model, inputs, experiments)
