"""The terminal table: `ludus play`.

    start      from a wish to a game: asks, seats, promises the dice, plays, proves
    app        the loop between keys and screen
    keyboard   single keys of a raw terminal, or lines
    screen     painting in place, or printing
    table      a match on the screen, played touch by touch
    choices    what can be touched next, with short keys
    views      questions, pages to read, the cover between two persons
    why        `?`: rules behind a choice, effects, why something is not allowed
    story      what happened, told on as the match goes on
    speech     words of the title and of the table together
    drawings   how a title's table looks: `generic` from its view alone, or `terminal.py` of its folder
    saves      match files in the user's data folder
    opponents  bots, plain at first, compiled when that lies ready

A drawing has `draw`, and may have `caption`, `touch_caption` and `atlas` (the whole map on a page, key M).

What a title's words may add for it, all of it optional:

    touch.KIND          how an element of a kind is called, with {name}: `touch.die = "die {name}"`
    touch.KIND.NAME     how one element is called: `[touch.button] done = "that is all"`
    label.KIND.NAME     the name of an element where KIND is no label set of the title
    field.NAME          how a field of the view is called in the generic table; "" hides it
    effect.NAME         what a card or piece does; shown by `?`
    terminal.KEY        what the title's own drawing says here
    behind.PROMPT       numbers of the rules that `?` shows first while this prompt stands: "R10 R11"
    option.NAME.VALUE   how a value of an option is called (also option.NAME.value.VALUE)

Everything shown to a person is made from that seat's view, sight and story; nothing else is at hand here.
"""
