/**
 * Public services where anybody makes a short link to anywhere, so that its host says nothing about its target. Services
 * that shorten only their own addresses, such as youtu.be, are not among them.
 */
export const SHORTENERS: ReadonlySet<string> = new Set(
  `adf.ly b.link bc.vc bit.do bit.ly bitly.com bitly.ws bl.ink buff.ly chilp.it clck.ru cli.re cutt.ly cutt.us dub.sh
  dub.co dwz.cn goo.gl goo.su gg.gg han.gl is.gd j.mp kutt.it lnk.to lnkd.in lnk.bio linktr.ee lc.chat me2.kr mcaf.ee
  n9.cl o-x.sh ouo.io ow.ly pics.ee po.st qr.ae qr.net qps.ru rb.gy rebrand.ly reurl.cc rotf.lol s.id s2r.co short.cm
  short.gy short.io shorte.st shorten.asia shorturl.asia shorturl.at shrtco.de slkt.io smarturl.it snip.ly soo.gd
  suo.im surl.li t.co t.cn t.ly t2m.io tiny.cc tiny.one tiny.pl tinu.be tinylink.net tinyurl.com tr.im ulvis.net
  urlz.fr url.cn url.ie urlzs.com v.gd v.ht vo.la vurl.com w.wiki x.co x.gd yourls.org zpr.io zws.im`.split(/\s+/),
);
