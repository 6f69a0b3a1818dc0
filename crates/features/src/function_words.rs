//! The most frequent function words of languages, as evidence that a text is in one of them.
//!
//! Articles, conjunctions and prepositions are a quarter to half of running text. Hardly any of
//! them occur in a foreign language, and those that do (`de`, `a`, `i`) are few. So a language
//! without a place among the named ones has too few of each one's words, or, if it is related to
//! one, more of its own.

use std::sync::LazyLock;

/// A language that can be named: its ISO 639-1 code, how many of 100 words of a web page are in the
/// list, and the list.
///
/// For English the share is the median of 3,600 pages of the labelled corpora, .33, which is .77 of
/// that in article 1 of the Universal Declaration of Human Rights; for the others it is .77 of
/// theirs in the same article.
struct Named(&'static str, u8, &'static str);

const NAMED: &[Named] = &[
    Named(
        "ar",
        12,
        "في من على أن إلى التي الذي الذين عن مع هذا هذه ما لا لم لن قد كان كانت بعد قبل بين أو \
         كل ذلك كما حتى وقد ولا عند ثم وفي هو هي لكل له لها أنه إن دون خلال منذ غير أي وأن ومن \
         وهو كانوا",
    ),
    Named(
        "de",
        33,
        "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch \
         es an werden aus er hat dass sie nach wird bei einer um am sind wie einem über einen \
         so zum war haben nur oder aber vor zur bis mehr durch wir ich man kann",
    ),
    Named(
        "en",
        33,
        "the of and to in is that for it as was with be by on not he this are or his from at \
         which but have an had they you your were their one all we our can her she has there \
         been if more when will would who what so no my me do up out how about s t d ll re ve m",
    ),
    Named(
        "es",
        28,
        "de la que el en y a los se del las un por con no una su para es al lo como más o pero \
         sus le ha sin sobre este entre cuando todo esta ser son también fue había muy hasta \
         desde está nos ya si",
    ),
    Named(
        "fr",
        34,
        "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce \
         il sont avec son aux d l qu s n ou elle nous vous cette comme être ont mais leur je à \
         sa ses c on été",
    ),
    Named(
        "hi",
        30,
        "के है में की से को का और पर ने एक यह भी हैं कि इस नहीं लिए हो ही कर था या तो किया जो \
         अपने साथ वह थे गया थी तक करने कुछ कोई उनके सभी होता जा रहा उस इसके",
    ),
    Named(
        "it",
        31,
        "di e il la che in a per un è del non sono da con le si una i della al come ma lo più \
         anche gli nel dei o ha delle alla se questo dal dalla nella l d ed essere ogni suo sua \
         mi c ai nei",
    ),
    Named(
        "nl",
        31,
        "de van een het en in is dat op te zijn voor met die niet aan er om ook als bij door \
         maar uit dan naar of heeft worden nog tot over hij was wordt meer je wel deze ze kan \
         hun we ik u",
    ),
    Named(
        "pt",
        33,
        "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi \
         ao ele das à seu sua ou ser quando muito há nos já está também só pelo pela até entre \
         sem são tem",
    ),
    Named(
        "ru",
        27,
        "в и не на что он с как я это по но она они мы к у из за а же от так для его то все \
         было о бы или до быть если при когда уже вы только ее был была можно может их также \
         этом который чтобы",
    ),
    Named(
        "sv",
        36,
        "och i att det som en på är av för med till den har de inte om ett han men var jag sig \
         från vi så kan när eller man hade år vid ska hon där skall alla du nu också efter ut \
         under",
    ),
    Named(
        "tr",
        15,
        "ve bir bu da de için ile çok olarak daha olan gibi ne o kadar sonra en her ki mi var \
         olduğu ancak göre ise değil veya tarafından ben hem iki kendi şekilde nasıl ya",
    ),
    Named(
        "vi",
        34,
        "và của là có không các được cho trong một người những với để đã này đến khi từ ra về ở \
         như cũng nhiều sẽ phải tại vào lại theo do mà bị trên đó mọi đều thể bạn tôi",
    ),
];

/// Words of languages that share many with one of the named.
const RELATED: &[&str] = &[
    // af
    "die van en in is het te wat vir nie aan om op met as deur sy dat by n was ook hulle \
     word of ek hy tot maar daar kan wees alle moet ons",
    // ast
    "de la que el en y a los les del un una con pa por nun na nel como ye más o tou pola \
     col esti xente",
    // az
    "və bir bu da də üçün ilə olan daha hər o ki var kimi edir öz isə ya bütün azad",
    // be
    "і ў не на з што да па як у за яго ад або гэта кожны мае для аб ва таксама былі",
    // bg
    "и на да в за се не от с по е са ще че като до при има през или му ги след това към във \
     със този всеки трябва който",
    // bho
    "के बा में से आ ओकर खातिर करे होखे भी ह कइल आउर रहे",
    // bs
    "i u je na da se za od su s kao ne po iz koji što ali ili bi to do sa o sva svako ima \
     pravo",
    // ca
    "de la i que el en a les del un per els és una amb no es al dels va com ha més seu o \
     ser són s l d pel aquest aquesta també però si tot tots han on",
    // ckb
    "لە و بە کە بۆ ئەم لەگەڵ هەر لەو ئەو هەموو",
    // co
    "di a è u in e chì per l da un i una cù hè si ma sò d ogni li trà elli",
    // cs
    "a v se na je že s z do o i k ve pro za by ale si po jako jsou nebo má to které být",
    // cy
    "y yn i a o ar mae wedi gan am ei yr eu ac neu",
    // da
    "og i at det er en til på af for med den der de som ikke et har han fra men om sig blev \
     ved kan var hans havde jeg vi skal over efter ud også man eller alle være",
    // eo
    "la de kaj en esti al por kun ne estas li io el ĉiu aŭ ili estu oni",
    // fa
    "و در به از که این را است با برای آن یک خود تا بر هم نیز یا می شود ها های هر شد دارد \
     اند بود",
    // fo
    "og í at tað er sum á til av fyri ein við ikki eru hann frá um teir hevur",
    // fy
    "de fan en it in is te op dat foar mei net oan by as hy ek der om troch ta wurdt hat út \
     nei wy",
    // ga
    "an na i ar agus a le go ag is do sé chun gach nó ina",
    // gl
    "de a o que e do da en un os para unha as con no por na é dos como se non máis ao das \
     seu súa pola polo ou son foi ten á entre tamén pero todos",
    // gsw
    "und isch i de d vo mit uf dr nid am s si het im für au ä e bi als wo zu wird oder sin \
     mer",
    // ht
    "nan ak yo la ki pou yon se li pa a gen te l nou tout sou moun",
    // hu
    "a az és hogy nem is egy ez van de mint meg el ha minden vagy csak volt",
    // ia
    "le de e in un que es pro a con del non per al o su se como ha",
    // id
    "dan yang di untuk dengan ini dari pada tidak dalam itu setiap orang atau ke sebagai \
     akan",
    // is
    "og í að á sem er til um við en af ekki það var hann með fyrir eru frá þeir",
    // la
    "et in est non ad ut cum quod qui ex de per si sed aut ab quae sunt atque esse eius sua \
     a ac nec",
    // lb
    "an de d déi vun dat ass fir mat op eng den en huet sech net och ze si bei awer vum als \
     um aus wéi sinn",
    // lt
    "ir į iš su kad yra o tai kaip bet per jų ar už turi",
    // lv
    "un ir ar no par to kas ka tas nav viņu uz būt vai kā savā",
    // mk
    "и на во да се за од не со е што по ќе како до или има сите тоа кој си",
    // mr
    "आणि आहे या हे व ते च्या असे तर की नाही त्या एक होते ही तो",
    // ms
    "dan yang di untuk dengan ini daripada pada tidak dalam itu setiap orang atau ke \
     sebagai adalah oleh",
    // mt
    "il u ta li ma fi l għal minn dan huwa jew fuq kull",
    // nds
    "de un in en dat to is van vun nich för mit he op as den up se ok dör sik bi ut wi wat \
     hett sünd",
    // ne
    "छ र को मा भएको हो पनि छन् यो गर्न एक लागि गरेको तथा वा",
    // nn
    "og i det som er ein på til av for at med å har dei den ikkje eit han om frå var men eg \
     seg vi vart kan så skal eller etter alle",
    // no
    "og i det som er en på til av for at med å har de den ikke et han om fra var men jeg \
     seg vi ble kan så der skal eller hans etter alle ved være",
    // oc
    "de la e que lo en los las un una del per es a dins amb se al dels son coma pas mas o \
     aver d",
    // pap
    "di e ku na un ta i por no den pa su esaki tin nan tur ha",
    // pl
    "i w na z do się nie że jest o jak to od po za przez a dla czy ma jego oraz są być",
    // ps
    "د په او چې کې له دا سره ته هغه یو دي",
    // ro
    "și de în a la cu pe o din că nu un care pentru este al mai sau să se fi prin ca ale \
     lui au după fost",
    // sa
    "च न एव इति तु हि अस्ति वा",
    // scn
    "di a e lu la chi u nta cu un è pi li ca na dû nun sunnu",
    // sco
    "the o an in tae is for wi fae as it wis that on by at his frae thay be wha aw hae nae \
     no",
    // sk
    "a v sa na je že s z do o i k vo pre za by ale si po ako sú alebo má to ktoré byť",
    // sl
    "in v je na se da za so z ki pa s kot po ali do pri ni o bi ima vsak",
    // sq
    "të e në dhe një për me që i nga si është ka u se do ose",
    // sr
    "и у је на да се за од са су не као по из који што али или би то до с има",
    // tk
    "we bir bu hem üçin bilen her ol ýa",
    // tl
    "ang ng sa mga at na ay ito o kung para",
    // uk
    "і в на не що з у та до як за це від його про для є або але він вони по бути має ми її \
     який року також",
    // ur
    "کے میں کی ہے اور سے کا کو اس نے پر کہ یہ ایک ہیں بھی نہیں ہر جو",
    // uz
    "va bu bilan uchun bir har ham ega bo o yoki",
    // vec
    "de el la che i l a e in un per xe no da co ła se",
];

/// Share of the usual share that a text must reach. Of English pages 1 % have less, nearly all of
/// them lists of names.
const LEAST: f32 = 0.3;

/// Fewest such words: a single one can be a name, or a word of any language.
const LEAST_WORDS: u32 = 2;

/// How much the words of the text support that it is in this language: 1 if function words are as
/// frequent as usual or more so. `None` if they are too few, or if the text has more of another
/// language.
///
/// # Panics
/// If the language is not one of [`has`].
pub(super) fn support<'t>(code: &str, texts: impl Iterator<Item = &'t str>) -> Option<f32> {
    let language = NAMED.iter().position(|n| n.0 == code);
    let language = language.expect("the caller asked whether there are words of the language");
    let mut counts = Counts::default();
    texts.for_each(|text| counts.add(text));
    let own = counts.of[language];
    let share = own as f32 / counts.words.max(1) as f32;
    let usual = f32::from(NAMED[language].1) / 100.0;
    let enough = own >= LEAST_WORDS && share >= LEAST * usual;
    let most = counts.of.iter().all(|&other| other <= own);
    (enough && most).then(|| (share / usual).min(1.0))
}

/// Whether there are words of the language.
pub(super) fn has(code: &str) -> bool {
    NAMED.iter().any(|n| n.0 == code)
}

const LANGUAGES: usize = NAMED.len() + RELATED.len();

/// Longest function word, in bytes.
const LONGEST: u32 = 16;

/// A word's bytes as a number, and a bit for each language that has it; sorted by word. 40 KB.
static WORDS: LazyLock<Vec<(u128, u128)>> = LazyLock::new(|| {
    let named = NAMED.iter().map(|n| n.2);
    let lists = named.chain(RELATED.iter().copied());
    let mut pairs: Vec<_> = lists
        .enumerate()
        .flat_map(|(language, words)| words.split(' ').map(move |w| (key(w), 1u128 << language)))
        .collect();
    pairs.sort_unstable();
    pairs.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 |= next.1;
        }
        same
    });
    pairs
});

fn key(word: &str) -> u128 {
    word.bytes()
        .fold(0, |key, byte| key << 8 | u128::from(byte))
}

/// Words of a text, and how many of them each language has.
struct Counts {
    words: u32,
    of: [u32; LANGUAGES],
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            words: 0,
            of: [0; LANGUAGES],
        }
    }
}

impl Counts {
    /// Adds the words of a text: runs of letters. Runs with digits are names or numbers.
    fn add(&mut self, text: &str) {
        let mut word = Word::default();
        for c in text.chars() {
            if c.is_ascii_alphabetic() {
                word.push(c.to_ascii_lowercase() as u8);
            } else if c.is_ascii() {
                if c.is_ascii_digit() {
                    word.is_number = true;
                } else {
                    self.end(&mut word);
                }
            } else if c.is_alphabetic() || is_mark(c) {
                let mut bytes = [0; 4];
                let lower = c.to_lowercase().next().unwrap_or(c);
                for byte in lower.encode_utf8(&mut bytes).bytes() {
                    word.push(byte);
                }
            } else {
                self.end(&mut word);
            }
        }
        self.end(&mut word);
    }

    fn end(&mut self, word: &mut Word) {
        let Word {
            key,
            bytes,
            is_number,
        } = std::mem::take(word);
        if bytes == 0 || is_number {
            return;
        }
        self.words += 1;
        if bytes > LONGEST {
            return;
        }
        let Ok(found) = WORDS.binary_search_by_key(&key, |entry| entry.0) else {
            return;
        };
        let mut languages = WORDS[found].1;
        while languages != 0 {
            self.of[languages.trailing_zeros() as usize] += 1;
            languages &= languages - 1;
        }
    }
}

/// The word being read: its last 16 bytes, and how many it has.
#[derive(Default)]
struct Word {
    key: u128,
    bytes: u32,
    is_number: bool,
}

impl Word {
    fn push(&mut self, byte: u8) {
        self.key = self.key << 8 | u128::from(byte);
        self.bytes += 1;
    }
}

/// Marks inside words that do not count as letters: accents, and the signs of Devanagari for a dot
/// and for no vowel.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{93c}' | '\u{94d}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_fits_the_table_and_is_in_lower_case() {
        let lists = NAMED.iter().map(|n| n.2).chain(RELATED.iter().copied());
        for word in lists.flat_map(|words| words.split(' ')) {
            assert!((1..=LONGEST as usize).contains(&word.len()), "{word:?}");
            let mut counts = Counts::default();
            counts.add(&word.to_uppercase());
            counts.add(word);
            assert_eq!(counts.words, 2, "{word}");
            assert!(counts.of.iter().any(|&n| n > 0), "{word}");
        }
        assert!(LANGUAGES <= u128::BITS as usize);
    }

    #[test]
    fn words_are_runs_of_letters() {
        let mut counts = Counts::default();
        counts.add("The cat's 3 and B2B of-THE");
        assert_eq!(counts.words, 6);
        let english = NAMED.iter().position(|n| n.0 == "en").unwrap();
        assert_eq!(counts.of[english], 5);
    }

    #[test]
    fn too_few_words_or_more_of_another_language_are_no_support() {
        let support = |code, text| support(code, std::iter::once(text));
        assert_eq!(support("en", "the end of the road"), Some(1.0));
        assert_eq!(
            support("en", "Bosch drill, blue; the Makita saw, red"),
            None
        );
        assert_eq!(
            support("es", "Tots els éssers humans i les seves lleis"),
            None
        );
        let list = "oak table and chair, pine shelf, beech stool, elm bench of 4";
        let weak = support("en", list).unwrap();
        assert!(0.3 < weak && weak < 0.7, "{weak}");
    }
}
