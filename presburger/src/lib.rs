//! Integer sets and relations: emptiness, projection, bounds, simplification.
