// Writes cases.jsonl: formulas as KaTeX and MathJax 3 put them into pages, with the TeX that they were made of.
// npm install katex@0.16 mathjax-full@3 && node make.js > cases.jsonl
const katex = require('katex');
const { mathjax } = require('mathjax-full/js/mathjax.js');
const { TeX } = require('mathjax-full/js/input/tex.js');
const { CHTML } = require('mathjax-full/js/output/chtml.js');
const { SVG } = require('mathjax-full/js/output/svg.js');
const { liteAdaptor } = require('mathjax-full/js/adaptors/liteAdaptor.js');
const { RegisterHTMLHandler } = require('mathjax-full/js/handlers/html.js');
const { AssistiveMmlHandler } = require('mathjax-full/js/a11y/assistive-mml.js');
const { AllPackages } = require('mathjax-full/js/input/tex/AllPackages.js');

const FORMULAS = [
  'E=mc^2', '\\frac{a}{b}', '\\sqrt{x^2+y^2}', '\\sum_{i=1}^n i=\\frac{n(n+1)}{2}',
  '\\int_0^\\infty e^{-x^2}dx=\\frac{\\sqrt{\\pi}}{2}', '\\alpha+\\beta\\leq\\gamma',
  '\\lim_{x\\to 0}\\frac{\\sin x}{x}=1', "f'(x)=2x", '\\hat{\\theta}=\\bar{x}', '\\vec{F}=m\\vec{a}',
  '\\mathbb{R}^n\\subset\\mathbb{C}^n', '\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}', '\\binom{n}{k}',
  "x_{i+1}=x_i-\\frac{f(x_i)}{f'(x_i)}", '\\forall x\\in A\\exists y\\in B', '\\mathbf{A}\\mathbf{x}=\\mathbf{b}',
  '\\nabla\\times\\mathbf{E}=-\\frac{\\partial\\mathbf{B}}{\\partial t}', '\\left(\\frac{1}{2}\\right)^n',
  '\\text{if }x>0', '\\sqrt[3]{8}=2', '\\prod_p\\frac{1}{1-p^{-s}}', '\\overline{AB}',
  '\\underbrace{a+b}_n', '\\log_2 n', '\\mathcal{O}(n\\log n)',
];

const adaptor = liteAdaptor();
AssistiveMmlHandler(RegisterHTMLHandler(adaptor));
const packages = AllPackages.filter((name) => name !== 'bussproofs');
const page = (OutputJax) => mathjax.document('', { InputJax: new TeX({ packages }), OutputJax });
const mathjax3 = page(new CHTML({ fontURL: 'fonts' }));
const mathjaxSvg = page(new SVG({ fontCache: 'none' }));
const mathml = (tex, display) => mathjax3.convert(tex, { display, end: 20 });
const { SerializedMmlVisitor } = require('mathjax-full/js/core/MmlTree/SerializedMmlVisitor.js');
const visitor = new SerializedMmlVisitor();
const escaped = (tex) => tex.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/'/g, '&#39;');

// What each program makes of a formula.
const MAKERS = {
  katex: (tex, displayMode) => katex.renderToString(tex, { displayMode }),
  mathml: (tex, display) => visitor.visitTree(mathml(tex, display)),
  mathjax3: (tex, display) => adaptor.outerHTML(mathjax3.convert(tex, { display })),
  mathjax3_svg: (tex, display) =>
    adaptor.outerHTML(mathjaxSvg.convert(tex, { display })).replace(/<path[^>]*>/g, '<path>'),
  mathjax2: (tex, display) => {
    const assistive = visitor.visitTree(mathml(tex, display));
    const drawn = `<span class="MathJax" id="MathJax-Element-1-Frame" tabindex="0" role="presentation"><nobr aria-hidden="true">` +
      `<span class="math"><span class="mi">?</span></span></nobr><span class="MJX_Assistive_MathML" role="presentation">${assistive}</span></span>`;
    const around = display ? `<div class="MathJax_Display" style="text-align: center;">${drawn}</div>` : drawn;
    const mode = display ? '; mode=display' : '';
    return `<span class="MathJax_Preview" style="color: inherit;"></span>${around}` +
      `<script type="math/tex${mode}" id="MathJax-Element-1">${tex}</script>`;
  },
  image: (tex, display) => [
    `<img src="https://s0.wp.com/latex.php?latex=x&amp;bg=ffffff" alt='${escaped(tex)}' class="latex">`,
    `<span class="mwe-math-element"><img src="https://wikimedia.org/api/rest_v1/media/math/render/svg/a1" ` +
      `class="mwe-math-fallback-image-inline" alt='{\\displaystyle ${escaped(tex)}}'></span>`,
    `<img src="https://latex.codecogs.com/svg.image?x" alt='${escaped(tex)}' />`,
  ][tex.length % 3],
};
// How many formulas of each, and from which on.
const SHARES = { katex: [0, 10], mathml: [0, 25], mathjax3: [4, 10], mathjax3_svg: [14, 5], mathjax2: [19, 5], image: [0, 5] };
for (const [maker, [first, count]] of Object.entries(SHARES)) {
  for (let i = first; i < first + count; i++) {
    const display = i % 3 === 0 && maker !== 'image';
    const html = MAKERS[maker](FORMULAS[i], display);
    console.log(JSON.stringify({ maker, display, tex: FORMULAS[i], html }));
  }
}
