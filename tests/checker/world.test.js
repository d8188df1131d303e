// Kinds of layouts that public worked texts have. «0.97|0.67» is a number that the wrong text prints, and the right one: of the
// right text nothing is flagged and the number is read, of the wrong one this number alone.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from '../../bindings/index.js';
import { check, fixed } from '../../bindings/learn/checker/index.js';

const gf = await load();

const KINDS = {
  'rows with a comma beside decimals in braces':
    '$0{,}731\\cdot(2,0) + 0{,}269\\cdot(0,2) \\approx (1{,}462, «0{,}583|0{,}538»)$',
  'what an arrow is labelled with, and a name behind its value':
    '$$Q_1=\\begin{bmatrix}1&0\\\\0&2\\end{bmatrix}\\;\\; K_1=\\begin{bmatrix}1&1\\\\0&1\\end{bmatrix}$$\n\n$$\\frac{Q_1K_1^\\top}{\\sqrt2} = \\begin{bmatrix}0.7071&0\\\\1.4142&1.4142\\end{bmatrix} \\xrightarrow{\\text{softmax}} \\begin{bmatrix}0.6698&0.3302\\\\0.5&0.5\\end{bmatrix} = A_1$$\n\n$$O_1 = A_1K_1 = \\begin{bmatrix}0.6698&«1.1|1.0»\\\\0.5&1.0\\end{bmatrix}$$',
  'an aligned equation with a temperature':
    '$z = [1.0, 2.0, 3.0]$\n\n**Temperature = 0.5**\n\n$$\n\\begin{align}\nz / T &= [2.0, 4.0, «8.0|6.0»]\n\\end{align}\n$$',
  'functions of numbers before their values in a table':
    '| gate | formula | value |\n|---|---|---:|\n| $I_t$ | $\\sigma(0{,}2)$ | $0{,}5498$ |\n| $G_t$ | $\\tanh(0{,}6)$ | $«0{,}5730|0{,}5370»$ |\n\n$$F c = 0{,}7311\\cdot0{,}3=0{,}2193$$',
  'derivatives, and the slope of a function':
    "$a = \\sigma(1) \\approx 0{,}7311$\n\n$\\partial \\mathcal{L}/\\partial a^2 = 2 \\times 0{,}6749 \\approx 1{,}3498$. $\\sigma'(1) = 0{,}7311 \\times 0{,}2689 \\approx «0{,}1969|0{,}1966»$",
  'a letter that multiplies names':
    'q = 3, z = 4, x = 2\nstep = 2 x (0 - 3) = -6.0\nf = q x z = «13|12»',
  'names in another language': 'ロジット: [2.0, 1.0, 0.0]\n確率: [0.665, «0.254|0.245», 0.090]',
  'one label for what two cells print':
    's = [0.95, 1.49, 1.47]\na = s / s.sum()\nprint("Weights:", a)\n\nWeights: [0.243, 0.381, 0.376]\n\nb = softmax(s)\nprint("Weights:", b)\n\nWeights: [0.227, 0.390, «0.328|0.382»]',
  'sums of rows':
    'A = [[0.4, 0.4, 0.2], [0.2, 0.4, 0.4], [0.1, 0.7, 0.2]]\n\nVérification (somme des lignes de A) :\n[1.0, 1.0, «1.5|1.0»]',
  'sums of columns': 'A = [[0.4, 0.4, 0.2], [0.2, 0.4, 0.4]]\n\nColumn sums: [0.6, 0.8, «0.7|0.6»]',
  'vectors in the columns of a table':
    '| token | query | key |\n|---|---|---|\n| the | [1, 0] | [1, 1] |\n| cat | [0, 1] | [0, 2] |\n\nQKᵀ = [[1, 0], [1, «3|2»]]',
  'drawn brackets of different height, their signs in the middle':
    '               [1, 0, 1]\n[1, 0, 1, 0]   [1, 0, 0]   [1, 0, 2]\n[0, 2, 0, 2] x [0, 0, 1] = [2, 2, «7|2»]\n[1, 1, 1, 1]   [0, 1, 1]   [2, 1, 3]',
  'a name beside the middle of what it names':
    '    [1 0]\nQ = [0 1]\n    [1 1]\n\nQ Qᵀ = [[1, 0, 1], [0, 1, 1], [1, 1, «7|2»]]',
  'rows added up below each other':
    '  [0.0, 2.5, 0.0]\n+ [1.0, 4.0, 0.0]\n+ [1.0, 3.0, 1.5]\n-----------------\n= [2.0, 9.5, «1.6|1.5»]',
  'a percentage in brackets': 'P(a) = 3 / 4 = 0.75  («72.5|75.0»%)',
  'a percentage behind an arrow': 'P(a) = 1 / 8 = 0.125 → «13.5|12.5»%',
  'a row over a divisor':
    '$$\\frac{e^{1},\\ e^{0}}{e^1 + e^0} = \\frac{2.72,\\ 1.00}{3.72} = [«0.37|0.73»,\\ 0.27]$$',
  'indices of indices': 'scores[0][1] = [1,0,2] · [3,1,1] = 1×3 + 0×1 + 2×1 = «6|5»',
  'a number beside a row': '$$0.25[4,0]+0.75[0,8]=[1,«5|6»]$$',
  'a word before a sign': 'perché -ln(0.5) = «0.639|0.693»',
  'a name for several': 'Q = K = V = [[1, 0], [1, 1]]\n\nScores Q K^T:\n\n[[1, 1],\n [1, «3|2»]]',
  'an upper index in brackets':
    '$Q^{(1)} = \\begin{bmatrix} 1 & 2 \\end{bmatrix}$, $K^{(1)} = \\begin{bmatrix} 3 & 1 \\end{bmatrix}$\n\n$$S = Q^{(1)} (K^{(1)})^\\top = \\begin{bmatrix} «6|5» \\end{bmatrix}$$',
  'a transposed matrix': 'K = [[1, 2], [3, 4]]\nK^T = [[1, «4|3»], [2, 4]]',
  'single results as a row':
    'a = 1/4 = 0.25\nb = 1/2 = 0.50\nc = 1/8 = 0.125\n\nResult: [0.25, 0.50, «0.152|0.125»]',
  'rows as a matrix':
    'Row 1: softmax([1, 0]) = [0.731, 0.269]\nRow 2: softmax([0, 2]) = [0.119, 0.881]\n\nA = [[0.73, 0.27],\n     [0.12, «0.98|0.88»]]',
  'a softmax step by step':
    'e^1 = 2.718, e^0 = 1, e^2 = 7.389\nsum = «11.017|11.107»\nweights = [0.245, 0.090, 0.665]',
  'equal exponentials once':
    'Row: [0, 1, 0]\ne^0 = 1, e^1 = 2.718. The sum is 4.718. So we get [0.212, 0.576, 0.212].\n2·3 = «7|6»',
  'shares of exponentials':
    'exp([2, 1, 0]) = [7.389, 2.718, 1.000]\nprobabilities = [0.665, «0.254|0.245», 0.090]',
  'raised decimals': '`[e²·⁰, e⁰·⁵] = [7.39, «1.56|1.65»]`',
  'a temperature': 'logits: [2, 1, 0]\nT=2: softmax → [0.506, 0.307, «0.168|0.186»]',
  'what R prints': '``` r\nsoftmax(c(1, 2))\n#> [1] 0.2689414 «0.7130586|0.7310586»\n```',
  'a comment with what is printed':
    'x = torch.tensor([1.0, 0.0])\np = torch.softmax(x, dim=0)\nprint("p:", p)  # ===> tensor([0.7311, «0.2869|0.2689»])',
  'thousands at the end of a sentence':
    'In all 4 × 512 × 512 = 1,048,576. Then 3,145,728 + 2,560 = «3,148,388|3,148,288».',
  'thousands by points at the end of a sentence':
    'Es ist 0,5 + 0,25 = 0,75. Zusammen 4 · 512 · 512 = 1.048.576. Dann 3.145.728 + 2.560 = «3.148.388|3.148.288».',
  'steps in columns above their sums':
    '| Token | q·k | /√d_k | exp | weight |\n|---|---|---|---|---|\n| I | 2 | 1.414 | 4.113 | 0.576 |\n| love | 1 | 0.707 | 2.028 | «0.248|0.284» |\n| you | 0 | 0.000 | 1.000 | 0.140 |\n| sum | | | 7.141 | 1.000 |',
  'cells and what they came to':
    'In [1]: x = torch.tensor([[1., 2.], [3., 4.]])\nIn [2]: x.softmax(dim=-1)\nOut[2]:\ntensor([[0.2689, 0.7311],\n        [0.2689, «0.7131|0.7311»]])\nIn [3]: x.mean(dim=0)\nOut[3]: tensor([2., 3.])',
  'a function of a row above its exponentials':
    'z = [3.2, 1.3, 0.2, 0.8]\nexp(z) = [24.5325, 3.6693, 1.2214, 2.2255]\nsoftmax(z) = [0.775, «0.161|0.116», 0.039, 0.070]',
  'what is rounded as it is printed':
    'x = np.array([2.0, 1.0])\nprint((x / 3).round(2))\n# [0.67 «0.34|0.33»]',
  'a variable that is rounded as it is printed':
    'x = torch.tensor([2.0, 1.0])\np = x / 3\nprint(torch.round(p.detach(), decimals=2))\n# tensor([0.67, «0.34|0.33»])',
  'the output of a program, in a block of its own':
    '```python\nx = np.array([1.0, 2.0])\nprint(np.exp(x))\n```\n\nOutput:\n\n```\n[2.718 «7.839|7.389»]\n```',
  'the output of a variable, in a block of its own':
    '```python\nx = np.array([1.0, 2.0])\ny = x / 3\nprint(y.round(2))\n```\n\n**Ausgabe:**\n\n```\n[0.33 «0.76|0.67»]\n```',
  'a row of scores through a softmax':
    'scaled scores = [[1, 0], [0, 2]]\nRow 2 gives [0.119, 0.881]\n3·4 = «13|12»',
  'attention at once':
    'Q = [[1, 0], [0, 1]]\nK = [[2, 0], [0, 2]]\nV = [[4, 0], [0, 8]]\nOutput: [[3.218, «1.655|1.565»], [0.782, 6.435]]',
  'a table of formulas':
    '| row | exp | sum | weights |\n|---|---|---|---|\n| 1 | $[e^1, e^0] = [2.72, 1.00]$ | 3.72 | $[0.73, 0.27]$ |\n| 2 | $[e^0, e^2] = [1.00, «7.93|7.39»]$ | 8.39 | $[0.12, 0.88]$ |',
  'a heading that is a formula':
    'Mean = (1 + 5) / 2 = 3\n\n| Value | Value − Mean |\n|---:|---:|\n| 1 | -2 |\n| 5 | «3|2» |',
  'a sum in words': 'e^1 = 2.718, e^0 = 1. The sum is «3.781|3.718».',
  'the Jacobian of softmax':
    'p = [0.5, 0.3, 0.2]\nJ = diag(p) - p p^T = [[0.25, -0.15, -0.10], [-0.15, 0.21, -0.06], [-0.10, -0.06, «0.61|0.16»]]',
  'a Jacobian by its name':
    'p = [0.75, 0.25]\nJacobian:\n[[0.1875, -0.1875],\n [-0.1875, «0.1785|0.1875»]]',
  'a comment in a matrix':
    '$$A V = \\begin{bmatrix} 0.5 & 0.5 % 2 weights\n\\end{bmatrix} \\begin{bmatrix} 4 & 8 \\\\ % 3 rows\n0 & 4 \\end{bmatrix} = \\begin{bmatrix} 2 & «7|6» \\end{bmatrix}$$',
  'a matrix before the end of a formula':
    '\\begin{align*}A &= 2 \\begin{pmatrix} 1 & 3 \\end{pmatrix} = \\begin{pmatrix} 2 & «7|6» \\end{pmatrix}\\end{align*}',
  'a formula with a label':
    '\\begin{equation}\\label{eq:3}A = 2 \\begin{pmatrix} 1 & 3 \\end{pmatrix} = \\begin{pmatrix} 2 & «7|6» \\end{pmatrix}\\end{equation}',
  'columns with spaces of their own':
    '$$2 \\left[\\begin{array}{@{}c|c@{}} 1 & 3 \\\\ \\end{array}\\right] = \\left[\\begin{array}{@{}c|c@{}} 2 & «7|6» \\end{array}\\right]$$',
  'names above drawn brackets':
    'Q (2×2):     K (2×2):\n┌       ┐   ┌       ┐\n│ 1   0 │   │ 2   1 │\n│ 0   1 │   │ 0   3 │\n└       ┘   └       ┘\n\nScores = Q · K^T =\n┌       ┐\n│ 2   0 │\n│ 1   «4|3» │\n└       ┘',
  'rows that are numbered':
    'Row 0: [1·1+0·2, 1·0+0·3] = [1, 0]\nRow 1: [2·1+1·2, 2·0+1·3] = [4, 3]\nRow 2: [1·1+1·2, 1·0+1·3] = [3, 3]\n\nScores:\n[[1, 0],\n [4, «8|3»],\n [3, 3]]',
  'single whole numbers as a row':
    'a · b = 1·2 + 0·1 = 2\na · c = 1·4 + 0·4 = 4\na · d = 1·3 + 2·2 = 7\n\nScores = [2, «9|4», 7]',
  'scores divided in a formula':
    'S = [[1, 0], [1, 2]]\nd_k = 2\n\nQKᵀ / √dₖ =\n[\n  [1/1.414, 0/1.414],\n  [1/1.414, 2/1.414]\n]\n\nScaled Scores =\n[\n  [0.707, 0.000],\n  [0.707, «1.144|1.414»]\n]',
  'the sums of rows are no matrix':
    'A = [[0.5, 0.5], [0.25, 0.75]]\nV = [[4, 0], [0, 8]]\n\nVérification (somme des lignes de A) :\n[1. 1.]\n\nO = A V = [[2, 4], [1, «7|6»]]',
  'exponentials of a row':
    'Row 0: softmax([0.5, 0.25, 1])\n  exp values: [1.649, 1.284, «2.178|2.718»]\n',
  'code behind a preposition': 'So we divide by `sqrt(3) ≈ «1.723|1.732»`.',
  'lines with brackets that compute':
    'please: [1,0] · W = [1×1+0×0, 1×0+0×1] = [1, 0]\nstudy: [0,2] · W = [0×1+2×0, 0×0+2×1] = [0, «3|2»]',
  'how long a list is':
    'x = [0.5, -1.2, 3.3, 0.8, -0.5]\nm = sum(x) / len(x)\nprint("Result:", m)\n```\nResult: «0.85|0.58»\n```',
  'fractions of two digits without braces': '$\\frac13 + \\frac13 = «0.68|0.67»$',
  'keys whose width is not given':
    'Q = [[1, 0], [2, 1]]\nK = [[1, 1], [0, 3]]\nS = Q K^T / sqrt(d_k) = [[0.707, 0.000], [2.121, «1.221|2.121»]]',
  'a width that a program asks for':
    'Q = np.array([[1, 0], [2, 1]])\nK = np.array([[1, 1], [0, 3]])\nd_k = Q.shape[1]\nS = Q @ K.T / np.sqrt(d_k)\nS\n\n[[0.707 0.    ]\n [2.121 «1.221|2.121»]]',
  'a step that is named by its divisor':
    'Step 1: Q K^T\n  = [[2, 0],\n     [1, 4]]\n\nStep 2: Divide by sqrt(4) = 2\n  = [[1.0, 0.0],\n     [0.5, «4.0|2.0»]]',
  'matrices beside each other':
    '```\nQ = [[1, 2],    K = [[1, 0],\n     [0, 1]]         [3, 1]]\n\nQ @ K^T = [[1, 5],\n           [0, «3|1»]]\n```',
  'a comment over several lines':
    '//   q = [[1,2],[0,1]]\n//   k = [[1,0],[3,1]]\n// scores = q @ transpose(k)\n//   scores = [[1,5],\n//             [0,«3|1»]]',
  'a text within a program':
    'md(r"""\nsoftmax([1, 0]) = [0.731, «0.296|0.269»]\n""")\ncode(r"""\nimport torch\n""")',
  'a slip beside a number that is cut off':
    'x = [2.0, 1.0, 0.1]\nsoftmax(x) = [0.659, «0.224|0.242», 0.098]',
  'a bold symbol':
    '$$\\boldsymbol{S} = \\begin{pmatrix} 2 & 4 \\\\ 6 & 8 \\end{pmatrix}$$\n\n$$\\boldsymbol{T} = \\frac{\\boldsymbol{S}}{\\sqrt{4}} = \\begin{pmatrix} 1 & 2 \\\\ 3 & «8|4» \\end{pmatrix}$$',
  'a column of shares':
    '| token | logit | softmax |\n|---|---|---|\n| a | 1 | 0.665 |\n| b | 0 | «0.254|0.245» |\n| c | -1 | 0.090 |',
  'a column that is a function of another':
    '| t | sin(t) | cos(t) |\n|---|---|---|\n| 0 | 0 | 1 |\n| 1 | «0.8451|0.8415» | 0.5403 |\n| 2 | 0.9093 | -0.4161 |',
  'rows with labels of two parts':
    'Q = np.array([[1, 0], [2, 1]])\nK = np.array([[1, 1], [0, 3]])\nd_k = 1\nS = Q @ K.T / np.sqrt(d_k)\nS\n\n         k:one  k:two\nq:one    1.000  0.000\nq:two    3.000  «4.000|3.000»',
  'a name with an argument': 'x = [0.2, -0.1]\n\nPE(0) = [0, 1]\n\nx + PE(0) = [0.2, «1.1|0.9»]',
  'heads that are joined':
    'out_0 = [[1.00, 0.00], [0.25, 0.75]]\nout_1 = [[0.40, 0.60], [0.30, 0.70]]\n\nconcat = [[1.00, 0.00, 0.40, 0.60], [0.25, 0.75, 0.30, «0.07|0.70»]]',
  'scores at a temperature':
    'Logits: [3.0, 1.0, -0.5], T = 2.0\nScaled logits: [1.50, 0.50, «0.25|-0.25»]',
  'a variable that is computed from itself':
    'z = torch.tensor([[0.5, 0.1, -0.3]])\nz = torch.softmax(z, 1)\nprint(z)\n# tensor([[0.4718, «0.3126|0.3162», 0.2120]])',
  'the logarithm of a program':
    'print(-torch.log(torch.tensor([0.4])))\n# tensor([«0.3979|0.9163»])',
  'a sigmoid': '$h = \\sigma(0.4) \\approx «0.958|0.599»$',
  'half a square': '$$L = \\frac{1}{2} (0.3)^2 = «0.450|0.045»$$',
  'a difference in the middle': '1·0.5 + 2·(-0.25) = «0.80|0.50» - 0.50 = 0.00',
  'an equation that goes on': 'z = 0.5 * 0.4 + 0.10\nz = «0.25|0.20» + 0.10 = 0.30',
  'an equation that goes on in the next display':
    '\\[\n= (0.5)(0.5) + (0.2)(0.4)\n\\]\n\n\\[\n= 0.25 + «0.80|0.08» = 0.33\n\\]',
  'a root by its name': 'd_k = 3, sqrt(d_k) = «1.723|1.732»',
  'a result that is printed again with a slip':
    'p = softmax([3, 1, 0]) = [0.844, 0.114, 0.042]\n\nSo y_pred = [0.844, «0.141|0.114», 0.042]',
  'a score with a slip, above its weights':
    'scores = [1.0, «2.5|2.0», 0.5]\nweights = softmax(scores) = [0.231, 0.629, 0.140]',
  'a word behind the sign':
    'embedding x = [0.2, -0.1]\n\nPE(1) = [sin(1), cos(1)] = approx. [0.8415, «0.5043|0.5403»]\nx + PE(1) = [1.0415, 0.4403]',
  'a table of pandas':
    'Q = np.array([[1, 0], [2, 1]])\nK = np.array([[1, 1], [0, 3]])\nS = Q @ K.T\npd.DataFrame(S, index=words, columns=words).round(3)\n\n     one  two\none  1.0  0.0\ntwo  3.0  «4.0|3.0»',
  'a verb of one letter': 'A soma é $1+e^{-1} = «1.637|1.368»$.',
  'words before a power':
    'The scores become e<sup>0</sup> = 1, e<sup>2</sup> ≈ 7.39 and e<sup>0</sup> = 1; the total is «8.39|9.39».',
  'a line that a notebook shows':
    'z = [2, -1, 0.1]\nnp.exp(z)\n\n        array([7.3890561 , 0.36787944, «1.01517092|1.10517092»])',
  'a variable of a program whose operand has another value by now':
    'z = np.array([3.0, 1.0, 1.5])\np = softmax(z)\n\n- Logits: $z = [1.0, 0.0, 0.5]$\n- Softmax: $p = [0.506, «0.168|0.186», 0.307]$',
  'a matrix above many single numbers': `S = [[1, 0], [0, 2]] / 2 = [[0.5, 0.0], [0.0, 1.0]]\n\n${'half of 1 is 1 / 2 = 0.5\n'.repeat(30)}\nA = [[0.622, 0.378], [0.269, «0.713|0.731»]]`,
  'an asterisk that Markdown escapes': '0.75 \\* \\[4, 0] + 0.25 \\* \\[0, 2] = \\[3.0, «5.0|0.5»]',
  'functions below a heading as the rows of an output':
    '* Scores: 1 · 1 + 0 · 0 = 1\n* softmax([1, 0]) → [0.731, 0.269]\n* softmax([0, 2]) → [0.119, 0.881]\n\nHead 1 output = [[0.731, 0.269],\n [0.119, «0.811|0.881»]]',
  'computations with rows before their values in a table':
    '| Step | Input | Output |\n|---|---|---|\n| Dot product | [4, 5] · [1, 2] | 14 |\n| Scaling | [14, 6] / √4 | [7, «5|3»] |\n| Sum | 0.25×[4, 8] + 0.75×[0, 4] | [1.0, 5.0] |',
  'the output of a program, in a comment below it':
    'x = np.array([1, 2])\nW = np.array([[2, 0], [1, 3]])\nq = x @ W\nprint(f"q = {q}")\n# Output: [4 «7|6»]',
  'a product that a program calls by its name':
    'q = np.array([4, 5])\nk = np.array([1, 2])\ns = np.dot(q, k)\nprint(f"Score (q to k) = {s}")\n# Output: «18|14»',
  'an output behind several words and an arrow':
    'r = 17 / 2\nprint("Scaled:")\nprint(f"  cat → dog: {r:.2f}")\n\n# Output:\n# Scaled:\n#   cat → dog: «8.05|8.50»',
  'a root in the words above scaled scores':
    'Scores: [2, 1, 0]\n\n**Scaling (÷√d_k)**: we divide by √4 = 2\n\nScaled = [1.0, «0.7|0.5», 0.0]',
  'weights in another language of which few numbers are right':
    'Softmax ligne par ligne\n\nScores = [1, 0, 2]\n\nPoids = [«0.265|0.245», 0.090, 0.665]',
  'counted rows of what an equation has computed':
    '- $p = [0.5, 0.3, 0.2]$\n- $y = [1, 0, 0]$\n- $x = [1.5, 0.5]$\n\n$$\\frac{\\partial L}{\\partial W} = (p-y) x^T$$\n\nExpected matrix:\n- Class 1: [-0.75, -0.25]\n- Class 2: [0.45, «0.51|0.15»]\n- Class 3: [0.30, 0.10]',
  'a letter behind the words that say what it is':
    '- Logits: $z = [1, 0]$\n- Softmax: $p = [«0.76|0.73», 0.27]$',
  'weights at once, behind the output':
    'Q = [[1, 0], [0, 1]]\nK = [[2, 0], [0, 2]]\nV = [[4, 0], [0, 8]]\n\nSaída:\n[[3.218, 1.565],\n [0.782, 6.435]]\n\nResultado do softmax:\n[[0.804, «0.169|0.196»],\n [0.196, 0.804]]',
  'an index of a variable that is printed':
    'p = softmax([1, 0])\nprint(f"the first: {p[0]:.3f}")\n# Output:\n# the first: «0.713|0.731»',
  'a number that repeats a root, without its rounding':
    '√2 ≈ 1.4142\n\na = 76 / 1.4142 = 53.74\nb = a - 50\nprint("b:", b)\n\nb: «3.740105|3.740115»',
  'letters with indices side by side':
    '$$q_1=\\begin{bmatrix}1&2\\end{bmatrix},\\quad K_{\\mathrm{all}}=\\begin{bmatrix}1&0\\\\1&1\\end{bmatrix}$$\n\n$$q_1K_{\\mathrm{all}}^\\top=\\begin{bmatrix}1&«4|3»\\end{bmatrix}$$',
  'a softmax of scores that are scaled in words':
    'Scores: [1, 0, 2]\n\nAfter scaling by √2 and applying softmax, A_1 = [0.284, 0.140, «0.567|0.576»]',
  'thousands behind a bracket that nothing closes':
    'One (of them\n\n$512 \\cdot 7 = «3,854|3,584»$',
  'thousands in brackets around an equation': '[\n2^{20} = «1,048,567|1,048,576»\n]',
  'variables that a program prints below words of several kinds':
    'W = torch.nn.Parameter(torch.rand(2, 2))\nprint(f"Matrix \'W\' : \\n{W}")\n```\nMatrix \'W\' :\nParameter containing:\ntensor([[0.5, 0.25],\n        [1.0, 0.5]], requires_grad=True)\n```\nx = torch.tensor([[2.0, 4.0]])\ny = torch.matmul(x, W)\nprint(f"\\n🔍 Row (y) of x : \\n{y} (one)")\n```\n🔍 Row (y) of x :\ntensor([[5.0, «3.5|2.5»]], grad_fn=<MmBackward0>)\n```',
  'a single number that a program prints':
    'a = torch.tensor([2.0, 4.0])\nscore_1 = torch.dot(a, a)\nprint (score_1)\n```\ntensor(«20.5|20.0», grad_fn=<DotBackward0>)\n```',
  'rows that are weighed by a column':
    'w = torch.tensor([0.5, 0.25])\nV = torch.tensor([[2.0, 4.0], [8.0, 4.0]])\nc = torch.sum(w.unsqueeze(1) * V, dim=0)\nprint(c)\n\ntensor([3.0, «5.0|3.0»])',
  'one label twice in one program':
    '```python\ns = np.array([4.0, 0.0])\np = softmax(s)\nprint("Shares:", p)\nr = softmax(s / 4)\nprint("Shares:", r)\n```\n\n```\nShares: [0.982 0.018]\n\nShares: [0.731 «0.296|0.269»]\n```',
  'words without small letters': '第一行為 $\\frac{1}{1 + 3} = \\frac{1}{4} = «0.52|0.25»$',
};

/** The wrong text or the right one. @param {string} text @param {1 | 2} which */
const made = (text, which) => text.replace(/«([^|]*)\|([^»]*)»/g, `$${which}`);

describe('of the layouts of public texts, right numbers pass and a wrong one is put right', () => {
  for (const [name, text] of Object.entries(KINDS)) {
    test(name, () => {
      const [, wrong, right] = /«([^|]*)\|([^»]*)»/.exec(text);
      const passed = check(gf, made(text, 2));
      assert.deepEqual(passed.flags, [], made(text, 2));
      const { flags, checked } = check(gf, made(text, 1));
      const found = flags.filter(({ cause }) => cause !== 'carried');
      assert.deepEqual(
        found.map(({ printed, corrected }) => [
          printed.replace(/%$/, ''),
          corrected.replace(/%$/, ''),
        ]),
        [[wrong, right]],
        made(text, 1),
      );
      assert.ok(checked > 0);
    });
  }
});

/** Right texts of which a hasty reader would correct something. */
const RIGHT = [
  /* One of the operands may be wrong, and no number of a row is. */
  '- $p = [0.5, 0.3, 0.7]$\n- $y = [1, 0, 0]$\n- $x = [1.5, 0.5]$\n\n$$G = (p-y) x^T$$\n\nExpected matrix:\n- Class 1: [-0.75, -0.25]\n- Class 2: [0.45, 0.15]\n- Class 3: [0.30, 0.10]',
  /* What x is, nobody knows. */
  'x = 2\nx = f(x)\ny = x * 3\nprint("y:", y)\n\ny: 9',
  /* Which of the terms is wrong, either. */
  '$$0.40 \\times [0,2] + 0.20 \\times [1,1] = [0.15 + 0.15,\\; 0.80 + 0.20] = [0.20,\\; 1.00]$$',
  /* What a program has rounded as it printed it. */
  'W = [[0.5059, 0.8670], [0.1292, 0.1072]]\nX = [[0.55, 0.87], [0.57, 0.85]]\n\nq = X @ W\n\nFirst rows:\n[[0.3907, 0.5701], [0.3982, 0.5853]]',
  /* A number of another section, matrices of zeros and ones, and weights that are given once more. */
  '## Probabilities\n\np = [0.2, 0.5, 0.3]\n\n---\n\n## Without scaling\n\nVariance: 512\nScores: [-47, 39, -35]',
  'X = [[1, 0], [0, 1]]\nB = [[0, 1], [1, 1]]\nC = X @ B\n\nP = [[0, 1], [1, 0]]',
  /* What PyTorch calls var divides by n - 1. */
  'x = torch.tensor([[1.0, 2.0, 4.0]])\nprint(x)\n# tensor([[1., 2., 4.]])\nvar = x.var(dim=-1, keepdim=True)\nprint("Variance:\\n", var)\n\nVariance:\n tensor([[2.3333]])',
  /* Seconds as days, and a number that letters multiply. */
  '$$T = \\frac{6 \\times 10^{6}}{2} \\approx 34.7\\,\\text{days}$$',
  '- Cost: $3 \\times 2 \\,b\\,h = 6\\,b\\,h$ for all\n\n- Cost: $2\\,b\\,h$.',
  /* Marks and their weights, and weights that are learned. */
  'Scores: [80, 90, 70]\nWeights: [0.2, 0.3, 0.5]\nMean: 0.2 · 80 + 0.3 · 90 + 0.5 · 70 = 78',
  'Softmax\n\nScores = [1, 0, 2]\n\nLes poids appris :\n\nPoids = [0.33, 0.17, 0.50]',
  /* Shapes, and no values. */
  '| Op | Input shapes | Output |\n|---|---|---|\n| add | [4, 4] + [4, 4] | [4, 4] |\n| matmul | [2, 8] × [8, 2] | [2, 2] |',
  /* The softmax is of the last scores, which are called otherwise; and of two numbers that were rounded, nobody knows more. */
  '$$S = \\begin{bmatrix}1&1\\\\1&1\\end{bmatrix}$$\n\n$$R = \\begin{bmatrix}1.0000&0.5403\\\\0.5403&1.0000\\end{bmatrix}$$\n\nScaling by $\\sqrt{2}$:\n\n$$S_{scaled} = \\begin{bmatrix}0.7071&0.3821\\\\0.3821&0.7071\\end{bmatrix}$$',
  'I = 0,5498, G = 0,5370\n\n$I G = 0{,}5498 \\cdot 0{,}5370 \\approx 0{,}2953$',
  '√2 = 1.414\nscore = 2 / 1.414 = 1.414\ne^1.414 = 4.113',
  '$E = \\frac{1}{2}\\|0.01-0.75136507\\|^2 = 0.274811083$',
  /* 1.41 repeats √2 = 1.41, which was not rounded. */
  '√2 = 1.41\n1.22 / 1.41 = 0.86',
  '√2 = 1.414\nexp(1.414) = 4.113',
  'z = (2, 1, 0.1)\np = softmax(z) = (0.6590, 0.2424, 0.0986)\nL = -log 0.2424 = 1.4170',
  /* Divided by their sum, and no softmax. */
  'attention scores: [3, 1]\nnormalised by their sum\nattention weights: [0.75, 0.25]',
  /* A name that is computed from itself. */
  'x = [2, 4, 6, 8]\nx = LayerNorm(x)\n\nAnother example:\n\nx = [1, 0, 1, 0]',
  /* Half of the rows is not shown. */
  'Row 2: softmax([0, 1]) = [0.27, 0.73]\n\nA = [[0.40, 0.60], [0.27, 0.73]]',
  /* Probabilities of their own, behind exponentials of others. */
  'e^2 = 7.389, e^1 = 2.718, e^0 = 1\nweights = [0.665, 0.245, 0.090]\n\np = [0.75, 0.25]',
  'We checked 60 texts (20%) and 0.5 of them (3%)',
  'e^0 = 1, e^1 = 2.72, for [0, 1, 1]. The sum is 6.44.',
  /* The name explains the result: a term is wrong. */
  'A = [[0.25, 0.75], [0.5, 0.5]]\nV = [[4, 8], [8, 4]]\n\nOutput_a = [1 + 9, 2 + 3] = [7, 5]',
  /* Of terms that are results and one that is none. */
  '0.4 · [10, 0] = [4, 0]\n0.2 · [0, 10] = [0, 2]\n\nc = [4 + 0 + 3, 0 + 2 + 1] = [4, 3]',
  /* A list that is a result but for one number. */
  'p = [1/3.72, 2.72/3.72, 0/3.72] = [0.269, 0.731, 0]\n\nd = [0.269, 0.743, 0] - [1, 0, 0] = [-0.731, 0.731, 0]',
  /* A name that the text sets anew. */
  'Start: t = 0.\n\nFirst step (t = 1)',
  'h_1 = max(0, -1) = 0\nh_1 = 1 / 2 = 0.5\n\nOff ($h_1 = 0$), and half on ($h_1 = 0.5$).',
  'new_mean = (1 + (-1)) / 2 ≈ 0.000\nThey should have mean ≈ 0, std ≈ 1.\n\n"Hi": mean=2.00, std=1.000',
  /* Lists without brackets. */
  'e^0.5, e^1 = 1.65, 2.72  sum = 4.37',
  /* A bracket that is never closed, a power that was lost, two numbers without a space. */
  'PE(3,0)=sin(3 / (10000**(0/4))=sin(3)=0.1411\nPE(3,1)=cos(3 / (10000**(0/4))=cos(3)=-0.9900\n\nCode: [ 0.1411, -0.9900 ]',
  'PE(3,2)=sin(3/100001/4)≈sin(3/10)=sin(0.3)=0.2955',
  'PE(3,3)=cos(3/100001/4)=cos(0.3)=0.9553',
  '0.5+0.25=0.7500.5+0.25=0.750',
  /* Positions that the text does not count, sines before cosines, a table whose rows are others. */
  '| pos | sin(pos) | cos(pos) | code |\n|---|---|---|---|\n| 0 | 0 | 1 | [0, 1, 0, 1] |\n| 2 | 0.9093 | -0.4161 | [0.9093, -0.4161, 0.0200, 0.9998] |\n\nAs a vector, pos 1 = `[0.84, 0.01, 0.54, 1]`.',
  /* Of another head. */
  '$$\\text{masked}_0 = \\begin{bmatrix} 0.5 & -\\infty \\\\ 0.5 & 1.5 \\end{bmatrix}$$\n\nHead 1:\n\n$$\\text{attn}_1 = \\begin{bmatrix} 1.000 & 0 \\\\ 0.5 & 0.5 \\end{bmatrix}$$',
  /* Shares that were rounded before they are mixed. */
  '0.11 × (1, 0) + 0.79 × (0, 1) + 0.11 × (1, 1) ≈ (0.21, 0.89)',
  /* The sign that adds up is no value called sum. */
  'sum = 2 + 3 = 5\n\n$$\\text{Loss} = -\\sum y \\cdot \\log(p) = -\\log(0.5) = 0.693$$\n\n| a | `loss ≈ 0.693` |',
  /* What a name is to fulfil. */
  'z = log(6) = 1.79\n\nNow $e^z/(3+e^z) = 0.5$, so z = log(3) = 1.10',
  /* One decimal agrees with a softmax by chance. */
  'car = [1.0, 0.1, 0.5]\nbank = [0.5, 0.2, 0.1]',
  /* What is called the same behind a colon, and what letters multiply. */
  'Age: 35-45\n\nTags:\n- Age: 40',
  '$s=5$, $n=3$\n\n$$4\\,l\\,b\\,(s+n)\\approx 164$$',
  /* Names whose values stand far above, words, and names with more indices. */
  `When $m = 0$, $N=3$.\n\n${'A book goes on for long.\n'.repeat(500)}\n- Coins: $f=m/N$.\n- Three heads: $f=1$.`,
  'bank = [1, 0]\nmoney = [0, 1]\n\n- bank·money = 76',
  '$H_q=4$, $H_{kv}=1$, $H_{kv}^{\\mathrm{GQA}}=2$.\n\n$G=\\frac{H_q}{H_{kv}}=2$',
  /* Ranges, and statistics of other numbers. */
  'Score range: [-2.5, 2.5]\n\nSoftmax output: [0.0001, 0.9999]',
  'Some range: [-71.2, 75.9]\n\nWith scaling:\n  Variance: 1.00',
  /* Thousands that are rounded, and more than a number. */
  '| n | n² |\n|---|---|\n| 512 | $512^2 \\approx 262,000$ |',
  '[\n1.5^{20} = 3,000+\n]',
  /* The shape of a product, and codes of another width. */
  'Q: (5, 512) × W → (5, 64×8) = (5, 512)\nK: (4, 512) × W → (4, 64×8) = (4, 512)\n\nQ · K^T = (5, 512) × (512, 4) = (5, 4)',
  'd_model = 128\npos = 2\n\nPE = [0.91, -0.42, 0.09, 0.99, ...]',
  /* Behind a comment a line is none of its sum. */
  'A = 27\nB = 16\nC = 8\n\nn = (\n    A * B  # a : 27 x 16 = 432\n    + C * B  # b : 8 x 16 = 128\n    + 3 * B  # c : 3 x 256 = 768\n)',
  /* Scores that are already divided. */
  '$d_k = 16$: scores become [12/4, 8/4, 4/4] = [3.0, 2.0, 1.0]\n\n| Scaled scores | Softmax output |\n|---|---|\n| [3.0, 2.0, 1.0] | [0.665, 0.245, 0.090] |',
  /* Cells that were run again. */
  'A = torch.rand(2, 2)\nB = torch.matmul(A, A)\nprint("First:\\n", A)\nprint("Second:\\n", B)\n```\nFirst:\n tensor([[1., 2.], [0., 1.]])\nSecond:\n tensor([[1., 4.], [0., 1.]])\n```\n\nAnd again:\n\n```python\nprint("First:\\n", A)\nprint("Second:\\n", B)\n```\n\n```\nFirst:\n tensor([[2., 0.], [1., 1.]])\nSecond:\n tensor([[4., 0.], [3., 1.]])\n```',
  /* What a function is called with, and what it gives. */
  'q = [3.0, 1.0]\nscaled = q / 2\n\ndef f(q):\n    scaled = q / 4\n    p = softmax(scaled)\n    return p\n\np = f(x)\nprint("P is", p)\n\nP is [0.90, 0.10]',
  's = np.array([4.0, 0.0])\nprint(softmax(s))\n# [0.982 0.018]\ns = np.array([s1, s2])\nr = softmax(s)\nprint("Shares:", r)\n\nShares: [0.5 0.5]',
  'x = 2\ny = x / 4\nprint(f"Mean: {y}")\n\nMean: 0.5\n\nprint(f"Mean: {r[\'mean\']}")\n\nMean: 0.7',
  /* What should come out. */
  'x = [1, 3]\nCheck: it should have mean ≈ 0, std ≈ 5',
];

test('nothing right is corrected', () => {
  for (const text of RIGHT) assert.deepEqual(check(gf, text).flags, [], text);
});

test('of two lists that differ neither is to blame', () => {
  const { flags, notUnderstood } = check(gf, 'Weights: [0.5, 0.3, 0.2] = [0.5, 0.4, 0.2]');
  assert.deepEqual(flags, []);
  assert.ok(notUnderstood.length);
});

test('a row of numbers that nothing explains is listed', () => {
  const { notUnderstood } = check(gf, 'Rate:\n           0   0.7   1.0  0.8\n\nWarm-up');
  assert.deepEqual(
    notUnderstood.map(({ line, why }) => [line, why]),
    [[2, 'table']],
  );
});

test('what a cell of a notebook came to is read behind its source, though it stands before it', () => {
  const cell = {
    cell_type: 'code',
    execution_count: 1,
    metadata: {},
    outputs: [{ name: 'stdout', output_type: 'stream', text: ['tensor([0.7311, 0.2869])\n'] }],
    source: ['p = torch.softmax(x, dim=0)\n', 'print(p)'],
  };
  const before = { ...cell, outputs: [], source: ['x = torch.tensor([1.0, 0.0])'] };
  const text = JSON.stringify({ cells: [before, cell], nbformat: 4 }, null, 1);
  const { flags } = check(gf, text);
  assert.deepEqual(
    flags.map(({ printed, corrected }) => [printed, corrected]),
    [['0.2869', '0.2689']],
  );
  assert.equal(fixed(text, flags), text.replace('0.2869', '0.2689'));
  /* Source first, as some write it: of the next cell it is none. */
  const { outputs, ...rest } = cell;
  const other = JSON.stringify({ cells: [before, { ...rest, outputs }, before] }, null, 1);
  assert.equal(check(gf, other).flags.length, 1);
});

test('a table that a notebook shows as HTML is read', () => {
  const shownBy = (heads, rows) =>
    `<table><tr><th></th>${heads.map((head) => `<th>${head}</th>`).join('')}</tr>${rows
      .map((row, i) => `<tr><th>${'abc'[i]}</th><td>${row.join('</td><td>')}</td></tr>`)
      .join('')}</table>`;
  const notebookOf = (logits, exponentials) => {
    const rows = [['1.371'], ['0.928'], ['0.907']];
    const both = logits.map((one, i) => [one, exponentials[i]]);
    const cells = [shownBy(['Logit z'], rows), shownBy(['Logit z', 'e^z'], both)].map((html) => ({
      cell_type: 'code',
      source: ['frame'],
      outputs: [{ data: { 'text/html': [html] }, output_type: 'execute_result' }],
    }));
    return JSON.stringify({ cells, nbformat: 4 }, null, 1);
  };
  const flagsOf = (...columns) =>
    check(gf, notebookOf(...columns)).flags.map(({ printed, computed }) => [
      printed,
      computed.toFixed(3),
    ]);
  const right = [
    ['1.371', '0.928', '0.907'],
    ['3.939', '2.529', '2.477'],
  ];
  assert.deepEqual(flagsOf(...right), []);
  assert.deepEqual(flagsOf(right[0], ['3.939', '2.592', '2.477']), [['2.592', '2.529']]);
});

test('results that are printed again are carried', () => {
  const text = 'p = softmax([1, 0]) = [0.631, 0.369]\n\nAgain: [0.631, 0.369]';
  assert.deepEqual(
    check(gf, text).flags.map(({ line, corrected, cause }) => [line, corrected, cause]),
    [
      [1, '0.731', 'slip'],
      [1, '0.269', 'slip'],
      [3, '0.731', 'carried'],
      [3, '0.269', 'carried'],
    ],
  );
});
