"""The commands of ``strad-train``, a file each."""
