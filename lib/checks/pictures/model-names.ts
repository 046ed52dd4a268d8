/** In the order of the models' output. */
export const CLASSES = ["drawing", "hentai", "neutral", "porn", "sexy"] as const;

/** Probabilities; their sum is 1. */
export type Scores = Record<(typeof CLASSES)[number], number>;

/** `first` is MobileNetV2Mid; `second`, InceptionV3, is asked about suspicious pictures only. */
export type PictureModel = "first" | "second";

/** P(porn) + P(hentai) of the first model from which the second one is asked, and a picture is at least `uncertain`. */
export const SUSPICIOUS = 0.3;

/** Pixels of the square that a model reads. */
export const INPUT_SIZES: Record<PictureModel, number> = { first: 224, second: 299 };

export interface Opinion {
  scores: Scores;
  /** Null from the second model. */
  vector: Int8Array | null;
}

/** Stored with each result: the first model and the package with its weights. */
export const ENGINE = "mobilenet_v2_mid@4.3.0";
