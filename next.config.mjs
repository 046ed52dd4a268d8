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
  serverExternalPackages: ["pg", "sharp", "@node-rs/argon2", "pino", "prom-client", "undici", "sanitize-html", "html-to-text"],
};
export default config;
