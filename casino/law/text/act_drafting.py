"""How amending acts are drafted, by language: one table each, read by one reader.

A form is a sentence in the plain spelling that `plain` gives it. What stands in ``<…>`` is made
from the table: ``<T>`` what is amended, ``<OF>`` the act it stands in, ``<W>`` the new words,
``<OLD>`` and ``<NEW>`` words in the place of others, ``<DATE>`` a day, ``<FROM>`` a day of this
sentence alone, ``<NEWP>``, ``<NEWI>`` and ``<NEWA>`` the paragraph, item and article that come.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

# What a form does; `after` inserts behind what it names, `delay` and `force` say a day, `frame`
# and `title` (of the first sentence alone) do nothing by themselves.
Form = Literal[
    "replace", "insert", "into", "after", "repeal", "renumber", "words",
    "delay", "force", "frame", "title",
]  # fmt: skip
QUOTED: Final = r"\x01\d+\x02"  # what stands for the nth quotation


@dataclass(frozen=True, slots=True)
class Table:
    """A language. `units` are families of what can be amended: an act names those of one alone.

    `amends` finds what speaks of amending, ending or suspending. What an `act` is called is a noun
    and its name, whose words a `link` or what `joins` goes before, with its day (`dated`) and the
    act it is `cited` by; what `limits` finds there narrows the form, so that it is none. `captions`
    and `verbs` tell the heading of an act's article from a sentence. `turned` is a sentence that
    names the article before its `part`: it is read with `joined_by` between the two, the other way
    round. `repeats_opening`: each paragraph of a quotation begins with a sign that opens one;
    `single_quotes`: single signs quote too.
    """

    months: str
    date: str
    plain: Sequence[tuple[str, str]]
    number: str
    paragraph: str
    letter: str
    join: str
    the: str
    units: Sequence[Sequence[str]]
    of: str
    act: str
    link: str
    joins: str
    dated: str
    cited: str
    since: str
    amends: str
    limits: str
    heading: str
    captions: str
    verbs: str
    repealed: str
    forms: Sequence[tuple[Form, str]]
    turned: str
    joined_by: str
    ordinals: str = ""
    repeats_opening: bool = False
    single_quotes: bool = False


_PT: Final = Table(
    months="janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro"
    " dezembro",
    date=r"(?:(?:a partir d[eo]|n?o|em|desde)(?: dia)? )?(?:dia )?<DAY> de <MONTH> de <YEAR>",
    plain=(
        (r"\bn\.?\s?(?:ºs|os|º|o)\s(?=\d)|\bn\.os\s", "n "),
        (r"(\d+)\.?[ºª]", r"\1"),
        (r"\bart\.\s?", "artigo "),
    ),
    number=r"\d+(?:-[A-Z]{1,2})?",
    paragraph=r"(?P<l>\d+)",
    letter=r"(?P<l>[a-z]{1,3})\)",
    join=r"(?:, | e )",
    the=r"(?:(?:[oa]|[dn]?[oa]|ao|à)s? )?",
    units=(
        (
            r"(?:<THE>alíneas? <ITEMS> d[oae]s? )?(?:<THE>n <PARAGRAPHS> d[oae]s? )?"
            r"<THE>artigos? <ARTICLES>",
            r"(?:<THE>n <PARAGRAPHS> d[ae] )?<THE>sec?ção (?:intitulada )?<HEADING>",
        ),
        # Of a regulation whose articles are cited as n.º 37.
        (r"(?:<THE>alíneas? <ITEMS> d[oae]s? )?<THE>n <ARTICLES>",),
    ),
    of=r"(?: (?:[dn][oa]s?|aos?|às?|de) (?!artigo|n \d|presente|mesm|sec?ção)<ACT>)?",
    since=r"(?:com efeitos )?<DATE>",
    amends=r"alterad|altera[çr]|redac?ç|aditad|aditam|revog|renumer|eliminad|suprimid|substitu"
    r"|passam? a\b|onde se lê|vigor|vigência|produz|republic|derrog|suspen[sd]|caduc|cessam?\b"
    r"|deixam? de\b|sem efeito|prorrog",
    act=r"(?:regulamento|portaria|decreto(?:-lei| regulamentar| legislativo)?|lei|regras|normas"
    r"|despacho|regime|anexo)<NAME>",
    link=r"(?:de|e|n)",
    joins=r"d[oa]s?",
    dated=r",? de \d{1,2} de [a-zç]+(?: de \d{4})?",
    cited=r"(?:aprovad|anex|publicad)[oa]s? (?:em anexo )?(?:pel[oa]|a[oà]?|à|n[oa])",
    limits=r"\bnão\b|exce[pt]|salvo|na parte|quando|até|enquanto|apenas|\bsó\b|sem prejuízo|partir"
    r"|\bpara\b|quanto|relativ|no que|\b(?:em|desde|no dia) \d"
    r"|artigo|alínea|\bn \d+(?!\d*/)|sec?ção",
    heading=r"artigo (?:\d+(?:-[A-Z])?|único)",
    captions=r"alteraç|aditament|norma revogatória|revogação|entrada em vigor|produção de efeitos"
    r"|republicação|objeto|âmbito|renumeração",
    verbs=r"\b(?:é|são|fica|ficam|passa|passam|produz|produzem|entra|entram|cessa|deixa)\b",
    repealed="(Revogado.)",
    forms=(
        ("title", r"(?P<named>(?:portaria|decreto|lei|despacho|aviso)\b[^\x01]*)"),
        ("frame", r"<THE><ACT> (?:é|são) alterad[oa]s?"
         r" (?:como segue|nos termos seguintes)"),
        ("replace", r"<T><OF>,? passam? a ter a seguinte redac?ção(?:, <FROM>)?:? <W>"),
        ("replace", r"(?:é|são) alterad[oa]s? <T><OF>,? (?:que passam? a ter|com) a seguinte"
         r" redac?ção(?:, <FROM>)?:? <W>"),
        ("insert", r"(?:é|são) aditad[oa]s?<OF>,? <T><OF>,? com a seguinte redac?ção:? <W>"),
        ("after", r"(?:é|são) aditad[oa]s?<OF>, (?:a seguir|depois) (?:d[oae]s?|[àa]o?) <T><OF>,"
         r" (?:[oa]|um|uma)s? (?:artigos? <NEWA>|n <NEWP>|alíneas? <NEWI>|nova sec?ção),? com a"
         r" seguinte redac?ção:? <W>"),
        ("into", r"(?:é|são) aditad[oa]s? [oa]s? (?:n <NEWP>|alíneas? <NEWI>) <T><OF>,? com a"
         r" seguinte redac?ção:? <W>"),
        ("repeal", r"(?:é|são|fica|ficam) revogad[oa]s? <T><OF>(?:,? <FROM>)?"),
        ("renumber", r"<T><OF>,? (?:passa a(?: ser)?|é renumerado (?:como|para))"
         r" (?:o )?artigo <NUMBER>"),
        ("words", r"(?:[nd][oa]s? )?<T><OF>, onde se lê:? <OLD>,? deve ler-se:? <NEW>"),
        ("words", r"(?:[nd][oa]s? )?<T><OF>, a expressão <OLD> é substituída por <NEW>"),
        ("delay", r"(?:a (?:alteração|nova redac?ção)|o disposto|o aditamento) <T><OF> (?:só )?"
         r"(?:produz efeitos|entra em vigor) <DATE>"),
        ("force", r"(?:[oa] presente <ACT>|[oa] mesm[oa]) entra em vigor <DATE>"),
    ),
    turned=r"no (?P<whole>artigo <ARTICLES><OF>), (?P<part>[oa]s? (?:n <PARAGRAPHS>|alíneas?"
    r" <ITEMS>))"
    r"(?P<rest> .*)",
    joined_by="do ",
)  # fmt: skip
_ES_CON: Final = (
    r"con (?:la siguiente redacción|el siguiente tenor(?: literal)?|el texto siguiente)"
)
_ES_AS: Final = (
    r"(?:como sigue|así|del siguiente modo|de la siguiente (?:manera|forma)"
    r"|en los siguientes términos|con el siguiente tenor(?: literal)?)"
)
_ES: Final = Table(
    months="enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre"
    " diciembre",
    date=r"(?:(?:a partir del?|desde|el|al)(?: día)?(?: el)? )?(?:el )?(?:día )?<DAY> de <MONTH>"
    r" de(?:l año)? <YEAR>",
    plain=(
        (r"(\d+)\.?\s?[ºª]", r"\1"),
        (r"\bart\.\s?", "artículo "),
        (r"(?<=\d) (?=(?:bis|ter|quater|quinquies)\b)", ""),
    ),
    number=r"\d+(?:bis|ter|quater|quinquies|-[A-Z])?",
    paragraph=r"(?P<l>\d+)",
    letter=r"(?P<l>[a-z]{1,3})\)",
    join=r"(?:, | y | e )",
    the=r"(?:(?:(?:a|de|en) )?(?:el |la |los |las )|al |del )?",
    units=(
        (
            r"(?:<THE>letras? <ITEMS> del? )?"
            r"(?:<THE>(?:apartados?|párrafos?|números?) <PARAGRAPHS> del? "
            r"|<THE>párrafo <NTH> del? |<THE><NTH_> párrafo del? )?"
            r"<THE>artículos? <ARTICLES>(?:\.<SUB>)?(?:\.<SUBITEM>\))?",
            r"(?:<THE>párrafo <NTH> de |<THE><NTH_> párrafo de )?<THE>sección"
            r" (?:titulada |denominada )?<HEADING>",
        ),
    ),
    of=r"(?: (?:del|al|de l[ao]s?|a l[ao]s?|en el|en l[ao]s?) (?!artículo|apartado|letra|párrafo"
    r"|presente|mism|sección)<ACT>)?",
    since=r"(?:con efectos )?<DATE>",
    amends=r"modific|quedan?\b|quedarán?\b|redac|añad|adicion|introduc|insert|incorpor|suprim"
    r"|supres|derog|elimin|sustitu|renumer|numerarse|pasan? a\b|pasarán? a\b|vigor|vigencia"
    r"|vigente|efectos?\b|suspen[sd]|dejan? de\b|dejarán? de\b|cesan?\b|cesarán?\b|caduc"
    r"|donde dice|anul|aplaz|prorrog|tenor|no se aplicar",
    act=r"(?:reglamento|orden|real decreto|decreto|ley|reglas|normas|resolución|anexo)<NAME>",
    link=r"(?:de|y)",
    joins=r"(?:del|de l[ao]s?)",
    dated=r",? de \d{1,2} de [a-z]+(?: de \d{4})?",
    cited=r"(?:aprobad|anex|publicad)[oa]s? (?:por|en|a)(?: el| la)?",
    limits=r"\bno\b|excep|salvo|en lo que|\bpara\b|respecto|relativ|en cuanto|en la parte|cuando"
    r"|hasta"
    r"|mientras|sólo|\bsolo\b|únicamente"
    r"|sin perjuicio|partir|desde|\b(?:el|al) \d|artículo|apartado|letra|párrafo|sección",
    heading=r"artículo (?:\d+|único|primero|segundo|tercero|cuarto|quinto|sexto)"
    r"|disposición (?:final|adicional|transitoria|derogatoria)(?: (?:única|primera|segunda"
    r"|tercera|cuarta))?",
    captions=r"modificaci|adición|derogación|supresión|entrada en vigor|efectos$|objeto|ámbito"
    r"|renumeración",
    verbs=r"\b(?:se|queda|quedan|entra|entrará|pasa|pasan|cesa|deja|es|son|surte|produce)\b",
    repealed="(Derogado.)",
    ordinals="primero/primer segundo tercero/tercer cuarto quinto sexto séptimo octavo noveno",
    forms=(
        ("title", r"(?P<named>(?:orden|real decreto|decreto|ley|resolución)\b[^\x01]*?)"
         r"(?: por (?:la|el) que [^\x01]*)?"),
        ("frame", r"(?:el|la|los|las) <ACT>,? (?:se modifica"
         rf"|queda modificad[oa])n?s? {_ES_AS}"),
        ("replace", rf"<T><OF>,? (?:queda|quedan|quedará|quedarán) redactad[oa]s? {_ES_AS}"
         r"(?:, <FROM>)?:? <W>"),
        ("replace", r"<T><OF>,? (?:pasa|pasan|pasará|pasarán) a tener la siguiente redacción"
         r"(?:, <FROM>)?:? <W>"),
        ("replace", rf"se modifican? <T><OF>,? (?:que )?(?:queda|quedan) redactad[oa]s? {_ES_AS}"
         r"(?:, <FROM>)?:? <W>"),
        ("replace", r"se modifican? <T><OF>,? que (?:pasa|pasan) a tener la siguiente redacción"
         r"(?:, <FROM>)?:? <W>"),
        ("insert", r"se (?:añade|introduce|inserta|incorpora)n?<OF>,? (?:un|el|los|las|unos)"
         rf" (?:nuevos? )?<T><OF>,?(?: <FROM>,)? {_ES_CON}:? <W>"),
        ("after", r"(?:tras|después del?) <T><OF>,? se (?:añade|introduce|inserta|incorpora)n?"
         r" (?:un|una|el|la|los) (?:nuev[oa]s? )?(?:artículos? <NEWA>|(?:apartado|párrafo)s? <NEWP>"
         rf"|letras? <NEWI>|sección),? {_ES_CON}:? <W>"),
        ("into", r"se (?:añade|introduce|inserta|incorpora)n? (?:un|una|el|la|los|las)"
         r" (?:nuev[oa]s? )?(?:(?:apartado|párrafo|número)s? <NEWP>|letras? <NEWI>)"
         rf" (?=al? |en )<T><OF>,?(?: <FROM>,)? {_ES_CON}:? <W>"),
        ("repeal", r"(?:se (?:deroga|suprime)n?|quedan? (?:derogad|suprimid)[oa]s?) <T><OF>"
         r"(?:,? <FROM>)?"),
        ("repeal", r"<T><OF> quedan? (?:derogad|suprimid)[oa]s?(?:,? <FROM>)?"),
        ("renumber", r"<T><OF>,? (?:pasa a ser|pasa a numerarse(?: como)?|se renumera como)"
         r" (?:el )?artículo <NUMBER>"),
        ("words", r"(?:en )?<T><OF>, (?:la expresión|las palabras|la palabra|el término) <OLD>"
         r" (?:se sustituye|queda sustituida)n? por (?:la expresión |las palabras |la palabra "
         r"|el término )?<NEW>"),
        ("words", r"(?:en )?<T><OF>, donde dice:? <OLD>,? debe decir:? <NEW>"),
        ("delay", r"(?:lo dispuesto en|la (?:modificación|nueva redacción|supresión) del?"
         r"|la derogación del?) <T><OF> (?:sólo |solo )?(?:entrará en vigor|entra en vigor"
         r"|(?:producirá|surtirá|tendrá) efectos?) <DATE>"),
        ("force", r"(?:el|la) presente <ACT> (?:entrará|entra) en vigor <DATE>"),
        ("force", r"est[ea] <ACT> (?:entrará|entra) en vigor <DATE>"),
    ),
    turned=r"en el (?P<whole>artículo <ARTICLES><OF>), (?P<part>(?:el|la|los|las) (?:(?:apartados?"
    r"|números?) <PARAGRAPHS>|párrafo <NTH>|<NTH_> párrafo|letras? <ITEMS>))(?P<rest> .*)",
    joined_by="del ",
)  # fmt: skip
_FR_AS: Final = r"ainsi rédigée?s?"
_FR: Final = Table(
    months="janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    date=r"(?:(?:à compter du|à partir du|au|le) )?<DAY> <MONTH> <YEAR>",
    plain=(
        (r"[’`]", "'"),
        (r"\s+(?=[:;])", ""),
        (r"(\d+)\s?(?:er|[°º])(?!\w)", r"\1"),
        (r"\barticle premier\b", "article 1"),
        (r"\bart\.\s?", "article "),
        (r"(?<=\d) (?=(?:bis|ter|quater|quinquies)\b)", ""),
    ),
    number=r"\d+(?:bis|ter|quater|quinquies|-[A-Z])?",
    paragraph=r"(?P<l>\d+)",
    letter=r"\b(?P<l>[a-z])\b\)?",
    join=r"(?:, | et )",
    the=r"(?:(?:(?:à|de|dans) )?(?:l'|le |la |les )|aux? |du |des )?",
    units=(
        (
            r"(?:<THE><ITEMS> (?:de |du ))?"
            r"(?:<THE>(?:paragraphes? |alinéas? )?<PARAGRAPHS> (?:de |du )"
            r"|<THE><NTH> alinéa (?:de |du ))?"
            r"<THE>articles? <ARTICLES>",
            r"(?:<THE><NTH> alinéa (?:de |du ))?<THE>(?:section|rubrique) (?:intitulée )?<HEADING>",
        ),
    ),
    of=r"(?: (?:du |des |de la |de l'|aux? |à la |à l'|dans le )(?!article|alinéa|présent|même"
    r"|section|rubrique)<ACT>)?",
    since=r"(?:avec effet )?<DATE>",
    amends=r"modifi|rédig|rédact|remplac|abrog|supprim|suppress|insér|ajout|complét|numérot"
    r"|devien|vigueur|effet|à compter|suspen[sd]|cess(?:e|ent|era|eront)\b|caduc|au lieu de"
    r"|substitu|annul|report|retir|rapporté|prorog|ne s'appliqu|n'est plus|ne sont plus",
    act=r"(?:règlement|arrêté|décret|loi|règles|ordonnance|annexe)<NAME>",
    link=r"(?:de|et)",
    joins=r"(?:du|des|de la|de l')",
    dated=r" du \d{1,2} [a-zéû]+ \d{4}",
    cited=r"(?:approuvée?s?|annexée?s?|publiée?s?) (?:par|à|au)(?: le| la)?",
    limits=r"\bnon\b|sauf|excep|en tant que|lorsque|jusqu|tant que|seulement|sans préjudice|à"
    r" compter"
    r"|à partir|\bpour\b|relati|concernant|s'agissant|en ce qui|\b(?:le|au) \d"
    r"|à l'exclusion|pour ce qui|article|alinéa|section|rubrique",
    heading=r"article (?:\d+|unique)",
    captions=r"modification|abrogation|entrée en vigueur|objet|insertion|renumérotation",
    verbs=r"\b(?:est|sont|entre|entrent|cesse|cessent|devient|prend|prennent)\b",
    repealed="(Abrogé.)",
    forms=(
        ("title", r"(?P<named>(?:arrêté|décret|loi|ordonnance|décision)\b[^\x01]*)"),
        ("frame", r"(?:le |la |les |l')<ACT>,? (?:est|sont)"
         r" (?:ainsi modifiée?s?|modifiée?s? (?:comme suit|ainsi qu'il suit))"),
        ("replace", rf"<T><OF>,? (?:est|sont) (?:{_FR_AS}|rédigée?s? comme suit)(?:,? <FROM>)?:?"
         rf" <W>"),
        ("replace", r"<T><OF>,? (?:est|sont) remplacée?s? par (?:les dispositions suivantes"
         r"|le texte suivant|ce qui suit|une? (?:article <NEWA>|<NEWP>|<NEWI>|alinéa)"
         r" ainsi rédigée?)(?:,? <FROM>)?:? <W>"),
        ("insert", rf"il est (?:inséré|ajouté|créé)<OF>,? (?:un|une|des) <T><OF>,? {_FR_AS}:? <W>"),
        ("insert", rf"(?:dans le |à l'|au )<ACT>, il est (?:inséré|ajouté|créé) (?:un|des) <T>,?"
         rf" {_FR_AS}"
         r":? <W>"),
        ("after", r"après <T><OF>, (?:il est|sont) (?:insérée?s?|ajoutée?s?) (?:une?|des)"
         r" (?:articles?"
         rf" <NEWA>|(?:paragraphes? )?<NEWP>|<NEWI>|section),? {_FR_AS}:? <W>"),
        ("into", r"(?=au? |aux |à )<T><OF>, il est (?:inséré|ajouté) une? (?:(?:paragraphe )?<NEWP>"
         rf"|<NEWI>),? {_FR_AS}:? <W>"),
        ("into", rf"<T><OF> est complété par une? (?:(?:paragraphe )?<NEWP>|<NEWI>),? {_FR_AS}:?"
         rf" <W>"),
        ("repeal", r"<T><OF> (?:est|sont) (?:abrogée?s?|supprimée?s?)(?:,? <FROM>)?"),
        ("renumber", r"<T><OF>,? devient (?:l')?article <NUMBER>"),
        ("words", r"(?:dans )?<T><OF>, (?:les mots?|le mot|les termes|le nombre):? <OLD> (?:est"
         r"|sont)"
         r" remplacée?s? par (?:les mots?|le mot|les termes|le nombre)?:? ?<NEW>"),
        ("words", r"(?:dans )?<T><OF>, au lieu de:? <OLD>,? lire:? <NEW>"),
        ("delay", r"(?:les dispositions|la (?:modification|nouvelle rédaction)|l'abrogation)"
         r" (?=de |du"
         r" |des )<T><OF> (?:entre|entrent|prend|prennent) (?:en vigueur|effet) (?:seulement"
         r" )?<DATE>"),
        ("force", r"(?:le|la|les) présente?s? <ACT> (?:entre|entrent) en vigueur <DATE>"),
    ),
    turned=r"(?:à|dans) l'(?P<whole>article <ARTICLES><OF>), (?P<part>(?:le |la |les"
    r" )(?:(?:paragraphes? )?"
    r"<PARAGRAPHS>|<NTH> alinéa|<ITEMS>))(?P<rest> (?:est|sont) .*)",
    joined_by="de l'",
    ordinals="premier deuxième/second troisième quatrième cinquième sixième septième huitième"
    " neuvième",
    repeats_opening=True,
)  # fmt: skip
_EN_WORDS: Final = r"(?:the )?(?:words?|expression|figures?) "
_EN_IS: Final = r"(?:is|are|shall be)(?: hereby)?"
_EN_TO: Final = r"(?:substitute|there (?:is|are|shall be) substituted)"
_EN_IN: Final = r"(?:insert|add|there (?:is|are|shall be) (?:inserted|added))"
_EN: Final = Table(
    months="january february march april may june july august september october november december",
    date=r"(?:(?:on|from|as from|with effect from) )?(?:<DAY> <MONTH>,? <YEAR>"
    r"|<MONTH_> <DAY_>,? <YEAR_>)",
    plain=(
        (r"[`]", "'"),
        (r"(\d+)(?:st|nd|rd|th)\b", r"\1"),
        (r"\bart\.\s?", "article "),
        (r"\s*[–—]+\s*(?=\x01)", ": "),
        (r"\bN\.J\.A\.C\.\s?", "section "),
    ),
    number=r"(?:\d{1,3}:\d{1,4}[A-Z]{0,2}-\d{1,4}(?:\.\d{1,4})*|\d+(?:-?[A-Z])?)",
    paragraph=r"\(?(?P<l>(?<=\()[a-z0-9]{1,3}(?=\))|\d+)\)?",
    letter=r"\((?P<l>[a-z0-9]{1,3})\)",
    join=r"(?:, and |, | and )",
    the=r"(?:the )?",
    units=(
        (
            r"(?:<THE>(?:sub-?paragraphs?|items?) <ITEMS> of )?"
            r"(?:<THE>(?:paragraphs?|subsections?) <PARAGRAPHS> of |<THE><NTH> paragraph of )?"
            r"<THE>(?:sections?|articles?|rules?|regulations?) <ARTICLES>"
            r"(?:\(<SUB>\))?(?:\(<SUBITEM>\))?",
            r"(?:<THE><NTH> paragraph of )?<THE>section (?:headed |entitled |titled )?<HEADING>",
        ),
    ),
    of=r"(?: (?:of|to|in|into) (?!the present|this|these|section|article|paragraph|rule \d"
    r"|regulation \d|the section)<ACT>)?",
    since=r"(?:with effect )?<DATE>",
    amends=r"amend|substitut|replac|repeal|revok|rescind|delet|omit|insert|\badd(?:ed|s)?\b"
    r"|renumber|designat|\bforce\b|effect|commence|suspend|suspens|ceas|laps|expir|\bvoid"
    r"|disappl|strik|struck|annul|withdr|no longer|not apply|postpon|becomes?\b|\bread\b",
    act=r"(?:the )?(?:<CAPITAL> (?:(?:<CAPITAL>|\(<CAPITAL>\)|of|and|the) )*)?"
    r"(?:rules?|regulations?|order|act|schedule|notice)<NAME>",
    link=r"(?:of|and)",
    joins=r"of the",
    dated=r" of \d{1,2} [a-z]+ \d{4}",
    cited=r"(?:approved|made|annexed|published) (?:by|under|to)(?: the)?",
    limits=r"\bnot\b|except|\bfor\b|respect|regard|relating|concerning|as to|so far as|insofar"
    r"|in so far"
    r"|unless|until|when\b|where\b|while\b|only|other than"
    r"|without prejudice|subject to|from\b|\b(?:on|by) \d|section|article"
    r"|paragraph|rule \d|regulation \d",
    heading=r"(?:section|article|clause|rule|paragraph) \d+",
    captions=r"amendments?|repeals?|revocations?|commencement|citation|entry into force|insertions?"
    r"|renumbering",
    verbs=r"\b(?:is|are|shall|comes?|takes?|ceases?|becomes?)\b",
    repealed="(Repealed.)",
    forms=(
        ("title", r"(?P<named>(?![^\x01]*\b(?:section|article|paragraph)s? \d)[^\x01]*"
         r"\b(?:order|rules|regulations|act|notice)\b[^\x01]*)"),
        ("frame", rf"<ACT> {_EN_IS} amended as follows"),
        ("replace", rf"<T><OF>,? {_EN_IS} amended (?:so as )?to read(?: as follows)?(?:,"
         r" <FROM>)?:? <W>"),
        ("replace", rf"<T><OF>,? {_EN_IS} (?:replaced|substituted) (?:by|with) the following"
         r"(?: (?:text|words))?(?:, <FROM>)?:? <W>"),
        ("replace", rf"for <T><OF>,? {_EN_TO}(?: the following)?:? <W>"),
        ("after", rf"after <T><OF>,? {_EN_IN}(?: the following)?:? <W>"),
        ("after", r"in <T><OF>,? after (?:sub-?)?(?:paragraph|section|item)"
         r" \((?P<inner>\w{1,3})\),?"
         rf" {_EN_IN}(?: the following)?:? <W>"),
        ("after", r"(?:a )?(?:new )?(?:section <NEWA>|article <NEWA_>|paragraph <NEWP>"
         r"|item <NEWI>|section) is (?:inserted|added) after <T><OF>,?(?: to read)?:? <W>"),
        ("repeal", rf"<T><OF> {_EN_IS} (?:repealed|revoked|deleted)(?:,? <FROM>)?"),
        ("renumber", rf"<T><OF>,? (?:{_EN_IS} renumbered(?: as)?|becomes) (?:section|article|rule)"
         r" <NUMBER>"),
        ("words", rf"in <T><OF>,? for (?:{_EN_WORDS})?<OLD>,? {_EN_TO} (?:{_EN_WORDS})?<NEW>"),
        ("words", rf"in <T><OF>,? {_EN_WORDS}<OLD> (?:is|are) replaced (?:by|with)"
         rf" (?:{_EN_WORDS})?<NEW>"),
        ("delay", r"the (?:amendment|substitution|repeal) (?:made )?(?:to|of|in|by) <T><OF>"
         r" (?:shall )?"
         r"(?:only )?(?:comes?|takes?|has|have) (?:into force|into operation|effect) (?:only"
         r" )?<DATE>"),
        ("force", r"(?:this|these|the present) <ACT> (?:shall )?(?:comes?|takes?)"
         r" (?:into (?:force|operation|effect)|effect) <DATE>"),
    ),
    turned=r"in (?P<whole>(?:section|article|rule) <ARTICLES><OF>), (?P<part>(?:the"
    r" )?(?:(?:paragraphs?"
    r"|subsections?) <PARAGRAPHS>|<NTH> paragraph|items? <ITEMS>))(?P<rest> .*)",
    joined_by="of ",
    ordinals="first second third fourth fifth sixth seventh eighth ninth",
    repeats_opening=True,
    single_quotes=True,
)  # fmt: skip
TABLES: Final[Mapping[str, Table]] = {"pt": _PT, "es": _ES, "fr": _FR, "en": _EN}


@dataclass(frozen=True, slots=True)
class Drafting:
    """A table with its forms made: `forms` match a whole sentence, `families` a single target."""

    table: Table
    months: tuple[str, ...]
    ordinals: Mapping[str, int]
    families: tuple[tuple[re.Pattern[str], ...], ...]
    forms: tuple[tuple[Form, re.Pattern[str]], ...]
    join: re.Pattern[str]
    number: re.Pattern[str]
    paragraph: re.Pattern[str]
    letter: re.Pattern[str]
    plain: tuple[tuple[re.Pattern[str], str], ...]
    amends: re.Pattern[str]
    limits: re.Pattern[str]
    turned: re.Pattern[str]
    heading: re.Pattern[str]
    captions: re.Pattern[str]
    verbs: re.Pattern[str]


@lru_cache(maxsize=4)
def drafting_of(language: str) -> Drafting:
    """How acts are drafted in a language. Raises: KeyError, of one that has no table."""
    table = TABLES[language]
    parts = _parts(table)
    families = [[_made(unit, parts, table) for unit in family] for family in table.units]
    one_of = [f"(?:{'|'.join(map(_nameless, family))})" for family in families]
    targets = "|".join(f"{one}(?:{table.join}{one})*" for one in one_of)
    parts["T"] = f"(?P<targets>{targets})"
    return Drafting(
        table,
        months=tuple(table.months.split()),
        ordinals={
            word: n
            for n, words in enumerate(table.ordinals.split(), 1)
            for word in words.split("/")
        },
        families=tuple(tuple(map(_compiled, family)) for family in families),
        forms=tuple(
            (kind, _compiled(f"{_made(form, parts, table)}$")) for kind, form in table.forms
        ),
        join=_compiled(table.join),
        number=_compiled(table.number),
        paragraph=_compiled(table.paragraph),
        letter=_compiled(table.letter),
        plain=tuple((_compiled(found), instead) for found, instead in table.plain),
        amends=_compiled(rf"{table.amends}|[\x01«»“”\"]"),
        limits=_compiled(table.limits),
        turned=_compiled(f"{_made(table.turned, parts, table)}$"),
        heading=_compiled(rf"(?:{table.heading})(?:\.? ?[-–—:.] (?P<rest>.+)|[.:]?)$"),
        captions=_compiled(rf"(?:{table.captions})[^\x01]{{0,120}}$"),
        verbs=_compiled(table.verbs),
    )


def _parts(table: Table) -> dict[str, str]:
    """What stands for each ``<…>``; a name that ends in ``_`` is the same group once more."""

    def listed(name: str, single: str) -> str:
        one = f"(?:{_nameless(single)})"
        return f"(?P<{name}>{one}(?:{table.join}{one})*)"

    months, ordinals = table.months.replace(" ", "|"), re.sub("[ /]", "|", table.ordinals)
    once = {
        "THE": table.the,
        "OF": table.of,
        "CAPITAL": r"(?-i:[A-ZÀ-Ú])[\w'’-]*",
        # Behind the noun of an act: words in capitals, numbers, words a preposition joins.
        "NAME": rf"(?: (?:(?:{table.link}|{table.joins}) )?(?:<CAPITAL>|\d[\d/.-]*))*"
        rf"(?: {table.joins} ?[\w'’-]+)*",
        "DATE": table.date,
        "FROM": table.since,
        "DAY": r"(?P<day>\d{1,2})(?:\.?[º°]|er|st|nd|rd|th)?",
        "MONTH": f"(?P<month>{months})",
        "YEAR": r"(?P<year>\d{4})",
        "NUMBER": f"(?P<number>{table.number})",
        "SUB": "(?P<sub>[a-z0-9]{1,3})",
        "SUBITEM": "(?P<subitem>[a-z0-9]{1,3})",
        "NTH": f"(?P<nth>{ordinals})",
        "HEADING": f"(?P<heading>{QUOTED})",
        "W": f"(?P<wording>{QUOTED})",
        "OLD": f"(?P<old>{QUOTED})",
        "NEW": f"(?P<wording>{QUOTED})",
        "ITEMS": listed("items", table.letter),
        "PARAGRAPHS": listed("paragraphs", table.paragraph),
        "ARTICLES": listed("articles", table.number),
        "NEWI": listed("new_items", table.letter),
        "NEWP": listed("new_paragraphs", table.paragraph),
        "NEWA": listed("new_articles", table.number),
    }
    again = {f"{name}_": re.sub(r"\?P<(\w+)>", r"?P<\1_>", made) for name, made in once.items()}
    return {**once, **again}


_token: Final = re.compile(r"<([A-Z]+_?)>")


def _made(template: str, parts: Mapping[str, str], table: Table) -> str:
    """A form with what stands for its names; each act it may name is a group of its own."""
    acts = iter(range(9))

    def part(match: re.Match[str]) -> str:
        if match[1] == "ACT":
            named = f"{table.act}(?:{table.dated})?"
            return f"(?P<act{next(acts)}>{named}(?:, {table.cited} {named},?)?)"
        return parts[match[1]]

    while _token.search(template):
        template = _token.sub(part, template)
    return template


def _nameless(expression: str) -> str:
    return re.sub(r"\?P<\w+>", "?:", expression)


def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)
