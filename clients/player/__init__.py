"""The web player: TypeScript in src, and dist, which is what the service serves."""
