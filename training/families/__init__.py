"""What differs between model families when they are trained: layers, projections, tensors."""
