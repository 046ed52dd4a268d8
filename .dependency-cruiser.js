/*
 * The allowed import directions. `npm run layers` checks them; tests/architecture.test.ts runs the same check.
 * docs/architecture.md draws the layers.
 */

/** Folders of `lib` and of `lib/checks`, bottom first. A folder imports only folders that stand before it. */
const layers = [
  "auth",
  "http",
  "audit",
  "actions",
  "fediverse",
  "hosts",
  "media",
  "checks/results",
  "checks/pictures",
  "filters",
  "consent",
  "history",
  "search",
  "queue",
  "posts",
  "review",
  "blocking",
  "stats",
  "ingest",
  "checks/learner",
  "checks/words",
  "checks/rules",
  "checks/settings",
  "checks/remote",
  "checks/verdict",
  "checks/training",
  "checks/score",
  "checks/quality",
  "sources",
  "streams",
  "topical",
  "keys",
  "alerts",
  "mail",
  "members",
  "takeout",
  "metrics",
  "import-fenliu",
  "jobs",
  "runtime",
];
const TEST = String.raw`\.test\.tsx?$`;
const LEAF = String.raw`^lib/[a-z-]+\.ts$`;
const SQL = String.raw`^lib/.*[/-]sql\.ts$`;

/** Modules that may run in a browser: hooks and stores, and the schemas of the domains. */
const BROWSER = ["^lib/(client|desk)/", String.raw`^lib/.*[/-]schema\.ts$`];

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...layers.slice(0, -1).map((layer, index) => ({
      name: `layer-${layer}`,
      comment: `lib/${layer} imports a folder above it. Move the shared code down, or call it from above.`,
      severity: "error",
      from: { path: `^lib/${layer}/`, pathNot: TEST },
      to: { path: `^lib/(${layers.slice(index + 1).join("|")})/` },
    })),
    {
      name: "known-layer",
      comment: "A new folder of lib needs its place in the list of layers in .dependency-cruiser.js.",
      severity: "error",
      from: { path: "^lib/[^/]+/", pathNot: `^lib/(${[...layers, "client", "desk"].join("|")})/` },
      to: {},
    },
    {
      name: "leaves-import-leaves",
      comment: "A leaf of lib imports a domain. Move the imported code into the leaf, or the caller up.",
      severity: "error",
      from: { path: LEAF, pathNot: TEST },
      to: { path: "^(lib/[^/]+/|app/|components/)" },
    },
    {
      name: "no-cycles",
      comment: "Modules import each other, types included. Move the shared code into a third module.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "own-sql-only",
      comment: "A domain imports another domain's SQL. Call one of its operations instead.",
      severity: "error",
      from: { path: "^(lib)/([^/]+)/", pathNot: TEST },
      to: { path: SQL, pathNot: "^lib/$2/" },
    },
    {
      name: "verdict-judges-stored-results",
      comment:
        "The verdict needs no running check. Of pictures and remote, import only judge.ts and constants.",
      severity: "error",
      from: { path: "^lib/checks/(verdict|training|score|quality)/", pathNot: TEST },
      to: { path: "^lib/checks/(pictures|remote)/", pathNot: "/judge.ts$" },
    },
    {
      name: "lib-imports-no-screens",
      comment: "lib imports app or components. Pass in the needed functions.",
      severity: "error",
      from: { path: "^lib/", pathNot: TEST },
      to: { path: "^(app|components)/" },
    },
    {
      name: "screens-reach-no-database",
      comment: "app or components import the database. Call an operation of a domain.",
      severity: "error",
      from: { path: "^(app|components)/", pathNot: TEST },
      to: { path: [String.raw`^lib/(db|db-[a-z]+|transaction)\.ts$`, SQL, "^prisma/"] },
    },
    {
      name: "components-run-in-browsers",
      comment: "A component imports server code. Fetch in app and pass it in, or use a hook of lib/client.",
      severity: "error",
      from: { path: "^components/", pathNot: TEST },
      to: { path: "^(lib|app)/", pathNot: BROWSER, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "browser-code-stays-in-the-browser",
      comment: "lib/client and lib/desk import schemas and each other, nothing of the server.",
      severity: "error",
      from: { path: "^lib/(client|desk)/", pathNot: TEST },
      to: { path: "^lib/", pathNot: BROWSER, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "domains-import-no-browser-code",
      comment: "A domain imports lib/client or lib/desk. Move shared code into the domain's schema.ts.",
      severity: "error",
      from: { path: "^lib/[^/]+/", pathNot: ["^lib/(client|desk)/", TEST] },
      to: { path: "^lib/(client|desk)/" },
    },
    {
      name: "desk-above-client",
      comment: "lib/client serves every screen. Move code of the desk to lib/desk.",
      severity: "error",
      from: { path: "^lib/client/", pathNot: TEST },
      to: { path: "^lib/desk/" },
    },
    {
      name: "models-stay-in-the-engine",
      comment:
        "Only the engine process loads classifiers, and on Vercel the function. Call askModel of lib/checks/pictures/engine.ts.",
      severity: "error",
      from: { pathNot: [String.raw`^lib/checks/pictures/run-engine-job\.ts$`, TEST] },
      to: { path: String.raw`^lib/checks/pictures/models\.ts$` },
    },
    {
      name: "engine-jobs-run-in-the-engine",
      comment:
        "lib/checks/pictures/run-engine-job.ts loads the classifiers. Call askModel of lib/checks/pictures/engine.ts.",
      severity: "error",
      from: { pathNot: [String.raw`^lib/checks/pictures/engine(-process)?\.ts$`, TEST] },
      to: { path: String.raw`^lib/checks/pictures/run-engine-job\.ts$`, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "engine-loads-models-on-demand",
      comment:
        "Every process imports lib/checks/pictures/engine.ts. Import run-engine-job.ts inside the function that needs it.",
      severity: "error",
      from: { path: String.raw`^lib/checks/pictures/engine\.ts$` },
      to: {
        path: String.raw`^lib/checks/pictures/run-engine-job\.ts$`,
        dynamic: false,
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "classifier-packages-in-one-module",
      comment:
        "Only lib/checks/pictures/models.ts loads TensorFlow.js and nsfwjs. They are optional: load them by require.",
      severity: "error",
      from: {},
      to: { path: "(^|node_modules/)(@tensorflow/|nsfwjs)" },
    },
    {
      name: "resolvable",
      comment: "The imported file does not exist. Name it by # or ./ and with its extension.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^(#?prisma/generated|server-only)" },
    },
  ],
  options: {
    doNotFollow: { path: ["node_modules", "prisma/generated"] },
    exclude: { path: [String.raw`\.css$`] },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
