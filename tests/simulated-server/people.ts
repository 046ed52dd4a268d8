import type { SimAuthor } from "./model.ts";
import type { Random } from "./random.ts";

/** Name, display name, bio. */
const ORDINARY: readonly (readonly [string, string, string])[] = [
  ["mira", "Mira Okafor", "Photographer of ordinary mornings. #photography #lakes"],
  ["jonas", "Jonas Lindqvist", "Bäcker, Vater, Frühaufsteher.\nBrot ist Politik. #Brot"],
  ["sunniva", "Sunniva", "Plants > people, most days 🌿"],
  ["theo_v", "Théo Vasseur", "Dessins, trains de nuit, café serré."],
  ["luz", "Luz Aranda", "Astrónoma de balcón. #astronomy"],
  ["hana", "はな", "猫とパンの毎日。 #猫 #パン"],
  ["karim", "كريم", "أصور المدن ليلًا. #photography"],
  ["dora", "Dóra Kiss :ok:", "Cycling slowly, reading faster."],
  ["wim", "Wim de Groot", "Retired teacher, part-time gardener."],
  ["ayu", "Ayu 🐈‍⬛", "Two cats, one sofa."],
  ["pavel", "Pavel N.", "Small programs that draw. #generative #MastoArt"],
  ["ines", "Inês", "Receitas da minha avó, mais ou menos."],
  ["oskar", "Oskar", "Sterne, Nebel, Langzeitbelichtung."],
  ["grace", "Grace Adeyemi", "Bread, books, and the odd bicycle."],
  ["nil", "Nil", ""],
  ["longname", "Prof. Dr. Maximiliane Freifrau von und zu Hohenlohe-Waldeck 🌻", "Yes, really."],
];

const REMOTE: readonly (readonly [string, string, string, string])[] = [
  ["brine", "tidepool.example", "Brine", "Rock pools and what lives in them. #nature"],
  ["aurora_watch", "aurora.example", "Aurora Watch", "Northern lights from 69° N. #nightsky"],
  ["resi", "brezel.example", "Resi", "Backstube seit 1921. #Brot"],
];

export function makePeople(random: Random, now: Date): SimAuthor[] {
  let count = 0;
  const person = (
    username: string,
    display_name: string,
    bio: string,
    more: Partial<SimAuthor> = {},
  ): SimAuthor => ({
    id: String(1_000 + ++count),
    username,
    host: null,
    display_name,
    bio,
    fields: [],
    created_at: new Date(now.getTime() - random.between(40, 2_500) * 86_400_000),
    bot: false,
    locked: false,
    group: false,
    noindex: false,
    indexable: random.chance(0.4),
    discoverable: random.chance(0.6),
    moved: false,
    ...more,
  });
  return [
    ...ORDINARY.map(([username, name, bio], index) =>
      person(username, name, bio, {
        locked: index % 7 === 3,
        fields: index % 3 === 0 ? [{ name: "Web", value: `https://${username}.example/` }] : [],
      }),
    ),
    person("weather_bot", "Weather, hourly ☁️", "Posts the weather. Run by @wim.", { bot: true }),
    person("quiet_ann", "Ann", "Please leave me be. #nobot #noarchive"),
    person("field_finn", "Finn", "Hiker.", { fields: [{ name: "Bots", value: "#NoBots" }] }),
    person("unlisted_uwe", "Uwe", "No search engines.", {
      noindex: true,
      indexable: false,
      discoverable: false,
    }),
    person("open_olga", "Olga", "Boost away!", { noindex: false, indexable: true, discoverable: true }),
    person("silent_sam", "Sam", "My server says nothing about me.", {
      noindex: undefined,
      indexable: undefined,
      discoverable: undefined,
    }),
    person("moved_mo", "Mo", "I live elsewhere now.", { moved: true }),
    person("cats_group", "Cats (group)", "A group about cats.", { group: true }),
    person("newcomer", "New here", "First week!", { created_at: new Date(now.getTime() - 3 * 86_400_000) }),
    ...REMOTE.map(([username, host, name, bio]) => person(username, name, bio, { host, noindex: undefined })),
  ];
}
