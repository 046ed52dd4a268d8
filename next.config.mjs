// Answers of every kind carry these; the pages' Content-Security-Policy needs a nonce and is set in proxy.ts.
const securityHeaders = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  // Other servers learn nothing from a click on "Open original".
  { key: "Referrer-Policy", value: "same-origin" },
  {
    key: "Permissions-Policy",
    value:
      "accelerometer=(), browsing-topics=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()",
  },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
];

/*
 * The picture classifiers are loaded by `require` at run time (lib/checks/pictures/models.ts), which no tracing finds. A function of
 * Vercel that checks pictures needs these files; tests/vision-files.slow.test.ts runs the classifiers with them
 * alone.
 */
const tensorflow = ["core", "converter", "layers", "backend-wasm"].map(
  (name) => `node_modules/@tensorflow/tfjs-${name}`,
);
const visionFiles = [
  ...tensorflow.flatMap((folder) => [`${folder}/package.json`, `${folder}/dist/tf-*.node.js`]),
  "node_modules/@tensorflow/tfjs-backend-wasm/dist/*.wasm",
  ...["long", "seedrandom", "node-fetch"].map((name) => `node_modules/${name}/**/*.{js,json}`),
  "node_modules/nsfwjs/package.json",
  "node_modules/nsfwjs/dist/cjs/{index.js,package.json}",
  "node_modules/nsfwjs/dist/models/package.json",
  "node_modules/nsfwjs/dist/models/mobilenet_v2_mid/*.js",
];

/** @type {import("next").NextConfig} */
const config = {
  // Types and lint are checked by `npm run check`; doing it again here would double the build time.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  reactStrictMode: true,
  // Trailing slashes are unknown paths, never redirects. The runtime's server answers them.
  skipTrailingSlashRedirect: true,
  // Pictures are served by /media, resized once by our own guarded pipeline.
  images: { unoptimized: true },
  serverExternalPackages: [
    "pg",
    "sharp",
    "@node-rs/argon2",
    "pino",
    "prom-client",
    "undici",
    "sanitize-html",
    "nsfwjs",
    "@tensorflow/tfjs-core",
    "@tensorflow/tfjs-converter",
    "@tensorflow/tfjs-backend-wasm",
  ],
  outputFileTracingIncludes: { "/api/cron/tick": visionFiles },
  headers: () => Promise.resolve([{ source: "/:path*", headers: securityHeaders }]),
};
export default config;
