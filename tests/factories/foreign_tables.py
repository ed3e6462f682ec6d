"""Tables of rounds as other programs write them, and how each is described."""

# Narrow: no header, one row a box, the bank's cards repeated on each, zeros in empty slots.
NARROW = """\
[source]
name = "narrow"
[csv]
header = false
[rounds]
by = "count"
rows = 2
incomplete = "refuse"
[round]
table = "T-1"
day = 2026-11-20
game = 1
[box]
number = { column = 1, plus = 1 }
owner = { column = 2 }
[hand]
cards = [3, 4, 5]
[bank]
cards = [6, 7, 8]
[cards]
blank = ["0"]
gaps = true
codes = { "1" = "A?", "5" = "5?", "6" = "6?", "7" = "7?", "9" = "9?", "10" = "X?", "11" = "A?" }
[actions]
by = "cards"
stand = true
[money]
cents_per_unit = 100
[[wager]]
kind = "main"
stake = 1000
returned = { column = 9 }
[check]
player_total = { column = 10 }
"""

NARROW_ROWS = ["0,Ana,10,7,0,10,9,0,0,17", "1,Rui,5,0,6,10,9,0,0,11"]

# Wide: the second shape of docs/converting.md.
WIDE = """\
[source]
name = "sala-norte"
[csv]
header = true
delimiter = ";"
encoding = "cp1252"
[rounds]
by = "key"
column = "Rodada"
[rows]
column = "Quem"
bank = ["Banca"]
skip = ["Total"]
[round]
table = { column = "Mesa" }
day = { column = "Dia", format = "%d/%m/%Y" }
game = 1
number = { column = "Rodada" }
dealer = { column = "Pagador", blank = ["?"] }
rulebook = "pt"
minimum = 500
maximum = 15000
[box]
number = { column = "Casa" }
owner = { column = "Quem" }
holder = { column = "Titular", blank = [""] }
seat = { column = "Lugar", blank = [""] }
[hand]
number = { column = "Mão", blank = [""] }
from = { column = "De", blank = [""] }
cards = { column = "Cartas" }
[bank]
cards = { column = "Cartas" }
[cards]
blank = [""]
gaps = false

[cards.codes]
AE = "AS"
8C = "8H"
8P = "8C"
10O = "TD"
RC = "KH"
9E = "9S"
3O = "3D"

[actions]
by = "column"
column = "Jogo"
separator = " "
stand = true
words = { "P" = "hit", "F" = "stand", "D" = "double", "S" = "split" }
[money]
cents_per_unit = 100
decimal = ","
thousands = "."
currency = "€"
blank = [""]
[[wager]]
kind = "main"
stake = { column = "Aposta" }
net = { column = "Saldo" }
[[wager]]
kind = "insurance"
stake = { column = "Seguro" }
returned = { column = "Seguro pago" }
optional = true
"""

WIDE_HEAD = (
    "Rodada;Dia;Mesa;Pagador;Quem;Titular;Lugar;Casa;Mão;De;Cartas;Jogo;Aposta;Saldo;Seguro;"
    "Seguro pago"
)

WIDE_ROWS = [
    "7;20/11/2026;BJ-2;P-1;J1;;1;1;1;;8C 3O 10O;S D;1.010,50 €;1.010,50;2,50;0",
    "7;20/11/2026;BJ-2;P-1;J1;;1;1;2;1;8P 10O;F;505,25;-505,25;;",
    "7;20/11/2026;BJ-2;P-1;J2;J1;;1;1;;;;500;500;0;0",
    "7;20/11/2026;BJ-2;P-1;Banca;;;;;;AE 9E;;;;;",
    "7;20/11/2026;BJ-2;P-1;Total;;;;;;;;1;1;;",
    "8;20/11/2026;BJ-2;?;J1;;1;1;;;RC 9E;F;5;0;;",
    "8;20/11/2026;BJ-2;?;Banca;;;;;;RC 9E;;;;;",
]
