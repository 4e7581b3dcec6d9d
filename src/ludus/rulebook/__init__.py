"""The rulebook of a title: one page a language, woven from chapters, the words of the title and RULES.md."""
