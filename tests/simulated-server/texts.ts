import type { Random } from "./random.ts";

/** Combined, a few hundred texts rarely repeat. */
export const LANGUAGES = ["en", "de", "fr", "es", "ar", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];

export const THEMES = ["cats", "landscape", "garden", "kitchen", "night", "art"] as const;
export type Theme = (typeof THEMES)[number];

export const THEME_TAGS: Readonly<Record<Theme, readonly string[]>> = {
  cats: ["CatsOfMastodon", "caturday", "Katzen", "chat", "gato", "猫", "قطط", "pets", "fluffy", "AdoptDontShop", "whiskers", "catnap"],
  landscape: ["photography", "landscape", "Fotografie", "paysage", "montañas", "風景", "hiking", "nature", "FotoMontag", "outdoors", "sunrise", "lakes"],
  garden: ["gardening", "bloomscrolling", "Garten", "jardin", "huerto", "庭", "flowers", "plants", "GrowYourOwn", "seedlings", "bees", "spring"],
  kitchen: ["baking", "sourdough", "Brot", "cuisine", "cocina", "料理", "food", "coffee", "FediKitchen", "recipes", "breakfast", "homemade"],
  night: ["astronomy", "nightsky", "Sterne", "nuit", "noche", "夜景", "moon", "cityscape", "LongExposure", "stars", "quiet", "winter"],
  art: ["MastoArt", "CreativeToots", "Kunst", "dessin", "arte", "イラスト", "generative", "geometry", "colour", "sketchbook", "poster", "shapes"],
}; // prettier-ignore

const OPENINGS: Readonly<Record<Language, Readonly<Record<Theme, readonly string[]>>>> = {
  en: {
    cats: ["She found the one sunny spot in the flat", "Somebody has opinions about breakfast", "The new cardboard box has been approved", "Supervisor is asleep on the keyboard again"],
    landscape: ["Up before the birds for this one", "The valley was full of mist this morning", "Twelve kilometres for one view, worth every step", "The lake was so still that I whispered"],
    garden: ["First poppies of the year", "The bees have discovered the lavender", "I planted these in March and forgot about them", "Tomatoes: eleven. Snails: a lot more"],
    kitchen: ["Third attempt at a crust that sings", "My grandmother's soup, as far as I remember it", "The starter is alive and has a name now", "Coffee first, questions later"],
    night: ["Forty seconds of exposure from the balcony", "The whole street went dark for an hour", "Saturn's rings through a second-hand telescope", "The city never looks as gentle as at two in the morning"],
    art: ["Today's page from the sketchbook", "A small program that draws hills", "Triangles again, because triangles are enough", "I limited myself to three colours"],
  },
  de: {
    cats: ["Der Kater hat das Paket zuerst ausgepackt", "Sie schläft seit neun Stunden, ich frage nicht", "Neues Kratzbrett, alte Tapete: sie hat gewählt", "Frühstück um fünf, weil jemand es beschlossen hat"],
    landscape: ["Um fünf Uhr losgegangen, für genau dieses Licht", "Der Nebel lag wie Milch im Tal", "Hinter der letzten Kurve plötzlich der See", "Zwölf Kilometer, drei Pausen, eine Aussicht"],
    garden: ["Der Mohn blüht, als gäbe es kein Morgen", "Die Bienen haben den Lavendel gefunden", "Im März gesät und dann vergessen", "Tomaten: elf. Schnecken: deutlich mehr"],
    kitchen: ["Dritter Versuch, und die Kruste singt", "Omas Suppe, soweit ich mich erinnere", "Der Sauerteig hat jetzt einen Namen", "Erst Kaffee, dann Fragen"],
    night: ["Vierzig Sekunden belichtet, vom Balkon aus", "Eine Stunde lang war die ganze Straße dunkel", "Die Saturnringe durch ein gebrauchtes Teleskop", "So freundlich ist die Stadt nur nachts um zwei"],
    art: ["Die heutige Seite aus dem Skizzenbuch", "Ein kleines Programm, das Hügel zeichnet", "Wieder Dreiecke, denn Dreiecke genügen", "Nur drei Farben waren erlaubt"],
  },
  fr: {
    cats: ["Elle a trouvé le seul rayon de soleil de l'appartement", "Le carton a été approuvé par la direction", "Quelqu'un a un avis sur le petit déjeuner", "Il dort encore sur le clavier"],
    landscape: ["Partie avant l'aube pour cette lumière", "La brume remplissait toute la vallée", "Douze kilomètres pour une seule vue", "Le lac était si calme que j'ai chuchoté"],
    garden: ["Les premiers coquelicots de l'année", "Les abeilles ont découvert la lavande", "Semés en mars, oubliés, retrouvés", "Tomates : onze. Limaces : bien plus"],
    kitchen: ["Troisième essai, et la croûte chante", "La soupe de ma grand-mère, de mémoire", "Le levain a maintenant un nom", "Le café d'abord, les questions ensuite"],
    night: ["Quarante secondes de pose depuis le balcon", "Toute la rue est restée dans le noir une heure", "Les anneaux de Saturne avec un vieux télescope", "La ville n'est jamais aussi douce qu'à deux heures"],
    art: ["La page du jour dans mon carnet", "Un petit programme qui dessine des collines", "Encore des triangles, ils suffisent", "Je me suis limitée à trois couleurs"],
  },
  es: {
    cats: ["Encontró el único rincón con sol del piso", "La caja nueva ha sido aprobada", "Alguien tiene opiniones sobre el desayuno", "Otra vez dormido encima del teclado"],
    landscape: ["Salí antes del amanecer por esta luz", "La niebla llenaba todo el valle", "Doce kilómetros por una sola vista", "El lago estaba tan quieto que hablé bajito"],
    garden: ["Las primeras amapolas del año", "Las abejas descubrieron la lavanda", "Las sembré en marzo y se me olvidó", "Tomates: once. Caracoles: muchos más"],
    kitchen: ["Tercer intento y la corteza canta", "La sopa de mi abuela, como la recuerdo", "La masa madre ya tiene nombre", "Primero café, luego preguntas"],
    night: ["Cuarenta segundos de exposición desde el balcón", "Toda la calle se quedó a oscuras una hora", "Los anillos de Saturno con un telescopio usado", "La ciudad nunca es tan amable como a las dos"],
    art: ["La página de hoy en mi cuaderno", "Un pequeño programa que dibuja colinas", "Triángulos otra vez, con triángulos basta", "Solo me permití tres colores"],
  },
  ar: {
    cats: ["وجدت البقعة المشمسة الوحيدة في البيت", "الصندوق الجديد نال موافقة الإدارة", "نائم على لوحة المفاتيح مرة أخرى", "لديه رأي واضح في موعد الفطور"],
    landscape: ["خرجت قبل الفجر من أجل هذا الضوء", "الضباب ملأ الوادي كله هذا الصباح", "اثنا عشر كيلومترًا من أجل منظر واحد", "كانت البحيرة ساكنة حتى إنني همست"],
    garden: ["أول شقائق النعمان هذا العام", "النحل اكتشف الخزامى أخيرًا", "زرعتها في مارس ثم نسيتها", "الطماطم: إحدى عشرة، والحلزون أكثر بكثير"],
    kitchen: ["المحاولة الثالثة ونجحت القشرة", "شوربة جدتي كما أتذكرها", "الخميرة صار لها اسم الآن", "القهوة أولًا ثم الأسئلة"],
    night: ["أربعون ثانية من التعريض من الشرفة", "انطفأ الشارع كله ساعة كاملة", "حلقات زحل بتلسكوب مستعمل", "المدينة ألطف ما تكون في الثانية ليلًا"],
    art: ["صفحة اليوم من دفتر الرسم", "برنامج صغير يرسم التلال", "مثلثات من جديد فهي تكفي", "سمحت لنفسي بثلاثة ألوان فقط"],
  },
  ja: {
    cats: ["部屋でいちばん日当たりのいい場所を見つけたらしい", "新しい段ボール箱、無事に合格しました", "またキーボードの上で寝ている", "朝ごはんについて言いたいことがあるようです"],
    landscape: ["この光のために夜明け前に出発しました", "谷じゅうが霧で満ちていた朝", "十二キロ歩いて、この景色ひとつ", "湖が静かすぎて、つい小声になった"],
    garden: ["今年はじめてのポピー", "ミツバチがラベンダーを見つけたようです", "三月に植えて、すっかり忘れていました", "トマト十一個、かたつむりはもっとたくさん"],
    kitchen: ["三度目の挑戦で、皮がぱりっと鳴いた", "祖母のスープを思い出しながら", "サワードウに名前をつけました", "まずコーヒー、質問はそのあと"],
    night: ["ベランダから四十秒の露光", "一時間だけ町が真っ暗になった", "中古の望遠鏡で見た土星の輪", "夜中の二時の街はとてもやさしい"],
    art: ["今日のスケッチ帳から", "丘を描く小さなプログラム", "また三角形。三角形だけで十分", "三色だけで描いてみました"],
  },
}; // prettier-ignore

const DETAILS: Readonly<Record<Language, readonly string[]>> = {
  en: ["I stayed much longer than planned.", "No filter, just patience.", "My neighbour waved and asked what I was doing.", "The second try was better than the first, the third worse than both.", "It smells of rain here.", "If you look closely there is a heron on the left."],
  de: ["Ich bin viel länger geblieben als geplant.", "Kein Filter, nur Geduld.", "Die Nachbarin hat gewinkt und gefragt, was ich da mache.", "Der zweite Versuch war besser als der erste, der dritte schlechter als beide.", "Es riecht nach Regen.", "Wer genau hinschaut, sieht links einen Reiher."],
  fr: ["Je suis restée bien plus longtemps que prévu.", "Sans filtre, avec de la patience.", "La voisine m'a demandé ce que je faisais.", "Le deuxième essai était mieux que le premier, le troisième moins bon que les deux.", "Ça sent la pluie.", "En regardant bien, il y a un héron à gauche."],
  es: ["Me quedé mucho más de lo previsto.", "Sin filtro, solo paciencia.", "La vecina saludó y preguntó qué hacía.", "El segundo intento fue mejor que el primero; el tercero, peor que los dos.", "Huele a lluvia.", "Si te fijas, hay una garza a la izquierda."],
  ar: ["بقيت أطول بكثير مما خططت.", "بلا مرشحات، بالصبر وحده.", "لوّحت جارتي وسألت ماذا أفعل.", "المحاولة الثانية أفضل من الأولى.", "رائحة المطر في المكان.", "دقق النظر وسترى طائرًا إلى اليسار."],
  ja: ["予定よりずっと長くいました。", "フィルターなし、忍耐だけ。", "お隣さんに手を振られ、何をしているのか聞かれました。", "二回目は一回目より良く、三回目は両方より悪かった。", "雨のにおいがします。", "よく見ると左に鷺がいます。"],
}; // prettier-ignore

const CLOSINGS: Readonly<Record<Language, readonly string[]>> = {
  en: ["Happy Friday, everyone!", "What did you see today?", "More tomorrow 🌿", "Boosts welcome ✨", ""],
  de: ["Schönes Wochenende euch allen!", "Was habt ihr heute gesehen?", "Morgen mehr 🌿", "Boosts erwünscht ✨", ""],
  fr: ["Belle journée à vous !", "Et vous, qu'avez-vous vu ?", "La suite demain 🌿", "Partages bienvenus ✨", ""],
  es: ["¡Feliz viernes a todas!", "¿Y tú, qué viste hoy?", "Mañana más 🌿", "Se agradecen impulsos ✨", ""],
  ar: ["جمعة مباركة للجميع!", "ماذا رأيتم اليوم؟", "البقية غدًا 🌿", "المشاركة مرحب بها ✨", ""],
  ja: ["みなさん、よい週末を！", "今日は何を見ましたか？", "続きは明日 🌿", "ブースト歓迎です ✨", ""],
}; // prettier-ignore

const ALT: Readonly<Record<Theme, readonly string[]>> = {
  cats: ["A cat sitting upright on a window sill, seen from behind", "Eine Katze im Gegenlicht, die Ohren gespitzt"],
  landscape: ["Layers of blue hills below a pale sun, a lake in front", "Berge hintereinander im Dunst, davor ein stiller See"],
  garden: ["Round red and yellow flowers on long stems before a green hedge", "Des fleurs rouges et jaunes devant une haie verte"],
  kitchen: ["A cup with steam on a wooden table beside two round loaves", "Una taza con vapor junto a dos panes redondos"],
  night: ["A row of dark houses with lit windows below a sky full of stars", "星空の下、窓に明かりのともる家並み"],
  art: ["Overlapping translucent circles and triangles in three colours", "دوائر ومثلثات شفافة متداخلة بثلاثة ألوان"],
}; // prettier-ignore

export const CONTENT_WARNINGS: Readonly<Record<Language, readonly string[]>> = {
  en: ["food", "eye contact", "spiders", "mental health, hopeful"],
  de: ["Essen", "Blickkontakt", "Spinnen", "Politik, kurz"],
  fr: ["nourriture", "contact visuel", "araignées"],
  es: ["comida", "contacto visual", "arañas"],
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
  return random.sample(THEMES, 5).map((theme) => writeText(random, language, theme).join(" "));
}

export function writeAlt(random: Random, theme: Theme): string {
  return random.pick(ALT[theme]);
}
