import type { Random } from "./random.ts";

/** Combined, a few hundred texts rarely repeat. */
export const LANGUAGES = ["en", "de", "ar", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];

export const THEMES = ["cats", "landscape", "garden"] as const;
export type Theme = (typeof THEMES)[number];

export const THEME_TAGS: Readonly<Record<Theme, readonly string[]>> = {
  cats: ["CatsOfMastodon", "caturday", "Katzen", "chat", "gato", "猫", "قطط", "pets", "fluffy", "AdoptDontShop", "whiskers", "catnap"],
  landscape: ["photography", "landscape", "Fotografie", "paysage", "montañas", "風景", "hiking", "nature", "FotoMontag", "outdoors", "sunrise", "lakes"],
  garden: ["gardening", "bloomscrolling", "Garten", "jardin", "huerto", "庭", "flowers", "plants", "GrowYourOwn", "seedlings", "bees", "spring"],
}; // prettier-ignore

const OPENINGS: Readonly<Record<Language, Readonly<Record<Theme, readonly string[]>>>> = {
  en: {
    cats: ["She found the one sunny spot in the flat", "Somebody has opinions about breakfast", "The new cardboard box has been approved", "Supervisor is asleep on the keyboard again"],
    landscape: ["Up before the birds for this one", "The valley was full of mist this morning", "Twelve kilometres for one view, worth every step", "The lake was so still that I whispered"],
    garden: ["First poppies of the year", "The bees have discovered the lavender", "I planted these in March and forgot about them", "Tomatoes: eleven. Snails: a lot more"],
  },
  de: {
    cats: ["Der Kater hat das Paket zuerst ausgepackt", "Sie schläft seit neun Stunden, ich frage nicht", "Neues Kratzbrett, alte Tapete: sie hat gewählt", "Frühstück um fünf, weil jemand es beschlossen hat"],
    landscape: ["Um fünf Uhr losgegangen, für genau dieses Licht", "Der Nebel lag wie Milch im Tal", "Hinter der letzten Kurve plötzlich der See", "Zwölf Kilometer, drei Pausen, eine Aussicht"],
    garden: ["Der Mohn blüht, als gäbe es kein Morgen", "Die Bienen haben den Lavendel gefunden", "Im März gesät und dann vergessen", "Tomaten: elf. Schnecken: deutlich mehr"],
  },
  ar: {
    cats: ["وجدت البقعة المشمسة الوحيدة في البيت", "الصندوق الجديد نال موافقة الإدارة", "نائم على لوحة المفاتيح مرة أخرى", "لديه رأي واضح في موعد الفطور"],
    landscape: ["خرجت قبل الفجر من أجل هذا الضوء", "الضباب ملأ الوادي كله هذا الصباح", "اثنا عشر كيلومترًا من أجل منظر واحد", "كانت البحيرة ساكنة حتى إنني همست"],
    garden: ["أول شقائق النعمان هذا العام", "النحل اكتشف الخزامى أخيرًا", "زرعتها في مارس ثم نسيتها", "الطماطم: إحدى عشرة، والحلزون أكثر بكثير"],
  },
  ja: {
    cats: ["部屋でいちばん日当たりのいい場所を見つけたらしい", "新しい段ボール箱、無事に合格しました", "またキーボードの上で寝ている", "朝ごはんについて言いたいことがあるようです"],
    landscape: ["この光のために夜明け前に出発しました", "谷じゅうが霧で満ちていた朝", "十二キロ歩いて、この景色ひとつ", "湖が静かすぎて、つい小声になった"],
    garden: ["今年はじめてのポピー", "ミツバチがラベンダーを見つけたようです", "三月に植えて、すっかり忘れていました", "トマト十一個、かたつむりはもっとたくさん"],
  },
}; // prettier-ignore

const DETAILS: Readonly<Record<Language, readonly string[]>> = {
  en: ["I stayed much longer than planned.", "No filter, just patience.", "My neighbour waved and asked what I was doing.", "The second try was better than the first, the third worse than both.", "It smells of rain here.", "If you look closely there is a heron on the left."],
  de: ["Ich bin viel länger geblieben als geplant.", "Kein Filter, nur Geduld.", "Die Nachbarin hat gewinkt und gefragt, was ich da mache.", "Der zweite Versuch war besser als der erste, der dritte schlechter als beide.", "Es riecht nach Regen.", "Wer genau hinschaut, sieht links einen Reiher."],
  ar: ["بقيت أطول بكثير مما خططت.", "بلا مرشحات، بالصبر وحده.", "لوّحت جارتي وسألت ماذا أفعل.", "المحاولة الثانية أفضل من الأولى.", "رائحة المطر في المكان.", "دقق النظر وسترى طائرًا إلى اليسار."],
  ja: ["予定よりずっと長くいました。", "フィルターなし、忍耐だけ。", "お隣さんに手を振られ、何をしているのか聞かれました。", "二回目は一回目より良く、三回目は両方より悪かった。", "雨のにおいがします。", "よく見ると左に鷺がいます。"],
}; // prettier-ignore

const CLOSINGS: Readonly<Record<Language, readonly string[]>> = {
  en: ["Happy Friday, everyone!", "What did you see today?", "More tomorrow 🌿", "Boosts welcome ✨", ""],
  de: ["Schönes Wochenende euch allen!", "Was habt ihr heute gesehen?", "Morgen mehr 🌿", "Boosts erwünscht ✨", ""],
  ar: ["جمعة مباركة للجميع!", "ماذا رأيتم اليوم؟", "البقية غدًا 🌿", "المشاركة مرحب بها ✨", ""],
  ja: ["みなさん、よい週末を！", "今日は何を見ましたか？", "続きは明日 🌿", "ブースト歓迎です ✨", ""],
}; // prettier-ignore

const ALT: Readonly<Record<Theme, readonly string[]>> = {
  cats: ["A cat sitting upright on a window sill, seen from behind", "Eine Katze im Gegenlicht, die Ohren gespitzt"],
  landscape: ["Layers of blue hills below a pale sun, a lake in front", "Berge hintereinander im Dunst, davor ein stiller See"],
  garden: ["Round red and yellow flowers on long stems before a green hedge", "Des fleurs rouges et jaunes devant une haie verte"],
}; // prettier-ignore

export const CONTENT_WARNINGS: Readonly<Record<Language, readonly string[]>> = {
  en: ["food", "eye contact", "spiders", "mental health, hopeful"],
  de: ["Essen", "Blickkontakt", "Spinnen", "Politik, kurz"],
  ar: ["طعام", "عناكب"],
  ja: ["食べ物", "視線あり", "虫"],
};

export const POLLS: readonly (readonly string[])[] = [
  ["Window sill", "Keyboard", "Clean laundry", "All of them"],
  ["Tea", "Kaffee", "Cacao"],
  ["朝", "昼", "夜"],
];

export function writeText(random: Random, language: Language, theme: Theme): string[] {
  const opening = random.pick(OPENINGS[language][theme]);
  const stop = language === "ja" ? "。" : ".";
  const details = random.sample(DETAILS[language], random.between(0, 2));
  const closing = random.pick(CLOSINGS[language]);
  return [opening + stop, details.join(" "), closing].filter((part) => part !== "");
}

export function writeLongText(random: Random, language: Language): string[] {
  return [...THEMES, ...THEMES].map((theme) => writeText(random, language, theme).join(" "));
}

export function writeAlt(random: Random, theme: Theme): string {
  return random.pick(ALT[theme]);
}
