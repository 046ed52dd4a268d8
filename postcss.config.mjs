/** Tailwind 4 reads its theme from app/globals.css; nothing else runs over the styles. */
const config = { plugins: { "@tailwindcss/postcss": {} } };
export default config;
