/** In the order of the model's output. */
export const CLASSES = ["drawing", "hentai", "neutral", "porn", "sexy"] as const;

/** Probabilities; their sum is 1. */
export type Scores = Record<(typeof CLASSES)[number], number>;

/** P(porn) + P(hentai) from which a picture is at least `uncertain`. */
export const SUSPICIOUS = 0.3;

/** Pixels of the square that the model reads. */
export const INPUT_SIZE = 224;

/** Stored with each result: the model and the package with its weights. */
export const ENGINE = "mobilenet_v2_mid@4.3.0";
