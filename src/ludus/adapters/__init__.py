"""Adapters: every title in the dress of PettingZoo, Gymnasium and OpenSpiel (`docs/research.md`).

All of it follows from what a title declares: codes are actions, observations what a seat may know, results
rewards.  Each module needs its own library: `pip install "ludus-antiquus[pettingzoo]"` brings PettingZoo and
Gymnasium, `"ludus-antiquus[open_spiel]"` OpenSpiel.
"""
