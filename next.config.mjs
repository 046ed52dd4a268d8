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

/** @type {import("next").NextConfig} */
const config = {
  // Types and lint are checked by `npm run check`; doing it again here would double the build time.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  reactStrictMode: true,
  // Contract §1: trailing slashes are unknown paths, never redirects. The runtime's server answers them.
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
  ],
  headers: () => Promise.resolve([{ source: "/:path*", headers: securityHeaders }]),
};
export default config;
