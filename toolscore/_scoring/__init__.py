"""How ``evaluate`` works inside: pairing, order, similarity, metrics, findings' figures."""
