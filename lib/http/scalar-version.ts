import packageJson from "../../package.json" with { type: "json" };

/** Which version of the reference page's program is installed; changes its address. */
export const scalarVersion = packageJson.dependencies["@scalar/api-reference"];
