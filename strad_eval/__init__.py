"""The judge: scores of any system's audio descriptions, exactly, with the doubts spelled out."""
