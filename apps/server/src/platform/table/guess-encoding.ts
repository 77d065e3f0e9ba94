import type { TextEncoding } from '@heliograph/contract/kernel/file-reading';

/** Characters that names, places and messages of a language are mostly written with. */
const FREQUENT = {
  simplified:
    '的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收证改清己美再采转更单风切打白教速花带安场身车例真务具万每目至达走积示议声报斗完类八离华名确才科张信马节话米整空元况今集温传土许步群广石记需段研界拉林律叫且究观越织装影算低持音众书布复容儿须际商非验连断深难近矿千周委素技备半办青省列习响约支般史感劳便团往酸历市克何除消构府称太准精值号率族维划选标写存候毛亲快效斯院查江型眼王按格养易置派层片始却专状育厂京识适属圆包火住调满县局照参红细引听该铁价严' +
    '李刘陈杨赵黄吴徐孙胡朱郭罗梁宋郑谢韩唐冯董萧曹袁邓傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田姜范姚谭廖邹熊陆郝孔崔邱秦尹欧阳伟芳娜敏静丽强磊军洋勇艳杰娟涛超秀霞平刚桂英玉兰春梅丹雪琳玲婷慧莹颖倩蕾薇欣怡佳宇浩轩博晨阳俊峰鹏飞龙波辉斌健亮洁琴燕萍红云莉珍娥雷凯旭鑫森淼豪帅翔文武松柏嘉梓涵诗雨梦琪思睿泽洪尊敬客户您好感谢验证码优惠券折扣订单快递会员卡余额银行短信手机号姓名城市上海北京广州深圳杭州南京武汉成都重庆天津苏州西安请勿回复退订链接活动预约医院学校老师先生女士爽巩磊巍嫣谦罗欧祥锋',
  traditional:
    '的一是在不了有和人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年動同工也能下過子說產種面而方後多定行學法所民得經十三之進著等部度家電力裡如水化高自二理起小物現實加量都兩體制機當使點從業本去把性好應開它合還因由其些然前外天政四日那社義事平形相全表間樣與關各重新線內數正心反你明看原又麼利比或但質氣第向道命此變條只沒結解問意建月公無系軍很情者最立代想已通並提直題黨程展五果料象員革位入常文總次品式活設及管特件長求老頭基資邊流路級少圖山統接知較將組見計別她手角期根論運農指幾九區強放決西被做必戰先回則任取據處隊南給色光門即保治北造百規熱領七海口東導器壓志世金增爭濟階油思術極交受聯什認六共權收證改清己美再採轉更單風切打白教速花帶安場身車例真務具萬每目至達走積示議聲報鬥完類八離華名確才科張信馬節話米整空元況今集溫傳土許步群廣石記需段研界拉林律叫且究觀越織裝影算低持音眾書布復容兒須際商非驗連斷深難近礦千週周委素技備半辦青省列習響約支般史感勞便團往歷市克何除消構府稱太準精值號率族維劃選標寫存候毛親快效斯院查江型眼王按格養易置派層片始卻專狀育廠京識適屬圓包火住調滿縣局照參紅細引聽該鐵價嚴' +
    '李劉陳楊趙黃吳徐孫胡朱郭羅梁宋鄭謝韓唐馮董蕭曹袁鄧傅沈曾彭呂蘇盧蔣蔡賈丁魏薛葉閻余潘杜戴夏鍾鐘汪田姜范姚譚廖鄒熊陸郝孔崔邱秦尹歐陽賴洪莊簡游詹施江翁連溫方柯顏偉芳娜敏靜麗強磊軍洋勇豔傑娟濤超秀霞剛桂英玉蘭春梅丹雪琳玲婷慧瑩穎倩蕾薇欣怡佳宇浩軒博晨俊峰鵬飛龍波輝斌健亮潔琴燕萍雲莉珍娥凱旭鑫豪帥翔武松柏嘉涵詩雨夢琪睿澤美惠雅君宏淑芬貞珠德依丞龍功廷銘志毅雄瑩倫敬騰佑素蓮蕙潤尊敬客戶您好感謝驗證碼優惠券折扣訂單快遞會員卡餘額銀行簡訊手機號碼姓名城市臺台北高雄中南新竹香港請勿回覆退訂連結活動預約醫院學校老師先生女士小姐',
  japanese:
    '日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性的要用制治度務強気小七成期公野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反元重近千考判認画海参売利組知案道信策集在件団別物側任引使求所次水半品昨論計死官増係感特情投示変打男基私各始島直両朝革価式確村提運終挙果西勢減台広容必応演電歳住争談能無再位置企真流格有疑口過局少放税検藤状常校料沢裁状工建語球営空職証土与急止送援供可役構木割聞身費付施切由説転食比難防補車優夫研収断井何南石足違消境神番規術護展態導鮮備宅害配副算視条幹独警宮究育席輸訪楽起万着乗店述残想線率病農州武声質念待試族象銀域助労例衛然早張映限親額監環験追審商葉義伝働形景落欧担好退準賀訴辺造英被株頭技低毎医復仕去姿味負閣韓渡失移差衆個門写評課末守若脳極種美岡影命含福蔵量望松非撃佐核観察整段横融型白深字答夜製票況音申様財港識注呼渉達' +
    '佐鈴木渡辺伊藤山中小林加斎吉橋村本高清池阿部森田岡石崎原前川藤後近遠井上野坂福太西藤松岡浦丸竹菅原安今河杉武宮内横久保古畑谷荒桜尾沼郎花健翔蓮陽菜美咲結愛恵裕智子幸雄和也直樹拓哉大輔誠博之隆正浩真由紀奈優香彩明茶五様御客東京都大阪府名古屋福岡札幌神戸横浜仙台広島電話番号氏名携帯注文確認',
  korean:
    '김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지나엄원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편용수영희철호경미숙순자준서윤도건우민서현지예은하시아유나빈태양승규재상훈동혁종필창대광근환식형일욱범찬혜란옥말분선애향화춘복덕길봉만수복례월계님고객안녕하세요감사합니다입니다있습니다인증번호카드결제은행예약확인주문배송이벤트할인쿠폰회원포인트무료거부문자메시지전화휴대폰이름서울부산대구인천광주대전울산세종경기강원충북남전라제주특별시도구동읍면로길번호층아파트회사학교병원선생부모가는을를에의로과와도만까지부터에서게께보다더많은오늘내일기간사용등록신청문의바랍드립해주십시오되었습니다된할것그리고때후전월년일시분초명원개국민대박절균보성시태섭희효림린솔별봄여름가을겨울드라마영화석균협',
} as const;

/** Function that answers how likely a character is in a language, as a logarithm. */
type Likelihood = (character: string, before: string, after: string) => number;

const IMPOSSIBLE = Math.log(1e-7);
const FOREIGN = /\P{ASCII}/u;
const LETTER = /\p{L}/u;
const LATIN = /[A-Za-z]/;
const [HAN, HANGUL, KANA] = [/\p{Script=Han}/u, /[\uac00-\ud7a3]/, /[\u3041-\u30fa\u30fc]/];
/** Punctuation of full width, which comes with Chinese, Japanese and Korean. */
const WIDE = /[\u3000-\u303f\u30fb\uff01-\uff5e\uffe5]/;
const HALF_KANA = /[\uff61-\uff9f]/;

const chances = (
  rules: readonly (readonly [RegExp | ReadonlySet<string>, share: number, among: number])[],
): Likelihood => {
  const table = rules.map(([of, share, among]) => [of, Math.log(share / among)] as const);
  return (character, before, after) => {
    const found = table.find(([of]) => (of instanceof RegExp ? of.test(character) : of.has(character)));
    // A single character within a Latin word is more likely a sign of that word.
    const lone = LATIN.test(before) && !FOREIGN.test(after);
    return (found?.[1] ?? IMPOSSIBLE) + (lone ? Math.log(0.01) : 0);
  };
};

const han = (language: keyof typeof FREQUENT, others: number): Likelihood => {
  const frequent = new Set(FREQUENT[language]);
  return chances([
    [frequent, 0.88, frequent.size],
    [HAN, 0.06, others],
    [WIDE, 0.05, 60],
  ]);
};

const kanji = new Set(FREQUENT.japanese);
const syllables = new Set(FREQUENT.korean);

const RUSSIAN = [/[оеаинтсрвлкмдпуяыьгзбчйхж]/i, /[эёщфцюшъ]/i] as const;
/** Letters of a word have one case, except the first; none is next to a Latin one. */
const cyrillic: Likelihood = (character, before, after) => {
  if (!LETTER.test(character)) return Math.log(0.02 / 60);
  const common = RUSSIAN[0].test(character)
    ? Math.log(0.9 / 25)
    : Math.log(RUSSIAN[1].test(character) ? 0.06 / 8 : 0.04 / 20);
  const odd = LATIN.test(before) || LATIN.test(after) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(character));
  return odd ? common + Math.log(0.001) : common;
};

const ACCENTED = new Set('éèêëáàâäãåçñóòôöõúùûüíìîïßæøýÿÉÈÁÀÂÄÅÇÑÓÖÕÚÜÍØÆŠšŽžœŒ');
const SIGNS = new Set('’‘“”–—…€£©®°«»¿¡·');
/** Letters with accents are next to those without; signs are next to blanks and digits. */
const latin: Likelihood = (character, before, after) => {
  const letter = LETTER.test(character);
  const common = ACCENTED.has(character)
    ? Math.log(0.7 / 30)
    : SIGNS.has(character)
      ? Math.log(0.2 / 20)
      : Math.log(0.1 / 60);
  const beside = LATIN.test(before) || LATIN.test(after);
  const run = FOREIGN.test(before) || FOREIGN.test(after);
  const shouted = /\p{Lu}/u.test(character) && /\p{Ll}/u.test(before);
  return common + (letter && !beside ? Math.log(0.1) : 0) + (run ? Math.log(0.3) : 0) + (shouted ? Math.log(0.01) : 0);
};

const LANGUAGES: readonly (readonly [TextEncoding, Likelihood])[] = [
  ['windows-1252', latin],
  ['windows-1251', cyrillic],
  ['gbk', han('simplified', 6_000)],
  ['big5', han('traditional', 11_000)],
  [
    'shift_jis',
    chances([
      [KANA, 0.4, 120],
      [kanji, 0.45, kanji.size],
      [HAN, 0.05, 6_000],
      [WIDE, 0.04, 60],
      [HALF_KANA, 0.03, 60],
    ]),
  ],
  [
    'euc-kr',
    chances([
      [syllables, 0.85, syllables.size],
      [HANGUL, 0.1, 2_000],
      [WIDE, 0.04, 60],
      [HAN, 0.01, 4_800],
    ]),
  ],
];

/** Chance of an ASCII character, which other encodings may read as half of one of their characters. */
const PLAIN = Math.log(1 / 40);

/**
 * Answers the likeliest encoding of text that is not Unicode: the bytes are read in each encoding, and the results are
 * compared.
 */
export function likeliestEncoding(sample: Uint8Array): TextEncoding {
  let best: TextEncoding = 'windows-1252';
  let most = Number.NEGATIVE_INFINITY;
  for (const [encoding, likelihood] of LANGUAGES) {
    const chance = chanceOf(sample, encoding, likelihood);
    if (chance > most) [best, most] = [encoding, chance];
  }
  return best;
}

function chanceOf(sample: Uint8Array, encoding: TextEncoding, likelihood: Likelihood): number {
  const characters = [...new TextDecoder(encoding).decode(sample)];
  let chance = 0;
  for (const [at, character] of characters.entries())
    chance += FOREIGN.test(character)
      ? likelihood(character, characters[at - 1] ?? '', characters[at + 1] ?? '')
      : PLAIN;
  return chance;
}
