//! Languages so similar that the network hardly distinguishes them. Their spellings and words do.

use crate::network::{CLASSES, Network, best};
use std::sync::LazyLock;

/// Words of one language, and words of the other; `*` stands for any ending.
struct Cue(&'static str, &'static str);

/// The words of a [`Cue`] by their first byte.
struct Index(Vec<Vec<Known>>);

struct Known {
    word: &'static str,
    /// Whether it may have any ending.
    is_stem: bool,
    /// 1 or -1: a word of the first or of the second language.
    kind: f32,
}

impl Index {
    fn new(cue: &Cue) -> Self {
        let mut index: Vec<_> = (0..256).map(|_| Vec::new()).collect();
        for (words, kind) in [(cue.0, 1.0), (cue.1, -1.0)] {
            for entry in words.split(' ') {
                let word = entry.trim_end_matches('*');
                index[usize::from(word.as_bytes()[0])].push(Known {
                    word,
                    is_stem: word.len() < entry.len(),
                    kind,
                });
            }
        }
        Self(index)
    }

    /// How many more words of the first language than of the second there are. Each word is between
    /// `^` and `$`.
    fn balance(&self, words: &str) -> f32 {
        let of_word = |word: &str| {
            let word = word.trim_matches(['^', '$']);
            let first = usize::from(*word.as_bytes().first()?);
            let is_known = |k: &&Known| match k.is_stem {
                true => word.starts_with(k.word),
                false => word == k.word,
            };
            self.0[first].iter().find(is_known).map(|known| known.kind)
        };
        words.split(' ').filter_map(of_word).sum()
    }
}

static BY_IJEKAVIAN: LazyLock<Index> = LazyLock::new(|| Index::new(&IJEKAVIAN));
static BY_WESTERN: LazyLock<Index> = LazyLock::new(|| Index::new(&WESTERN));
static BY_INDONESIAN: LazyLock<Index> = LazyLock::new(|| Index::new(&INDONESIAN));

/// Croatian and Bosnian write `ije` or `je` where Serbian writes `e`.
const IJEKAVIAN: Cue = Cue(
    "vrijem* gdje ovdje negdje nigdje svugdje poslije prije uvijek čovje* lijep* ljepš* mjest* \
     riječ* svijet* dijete djec* djevoj* mlijek* bijel* cijel* dio dijel* djel* vijest* sljede* \
     slijed* primjer* mjer* vjer* zahtjev* uspje* odjel* rješ* riješ* htje* vidje* živje* \
     razumije* smije* umjet* dvije promjen* izmjen* primjen* posljed* savjet* ocjen* cijen* \
     snijeg* rijek* mjesec* nedjelj* ponedjelj* vjet* vrijed* podijel* tijel* tijek* korijen* \
     zvijezd* sjed* sjever* naslijeđ* nasljed* sprječ* spriječ* liječ* obavijes* obavješ* \
     izvješ* mijenj* namjer* povrijed* uvrijed* naprijed unaprijed* bezbjed* osjeć* osjet* sjeć* \
     donijet* sudjel* bjež* bijed* djelat* djelov* htjel* željel* voljel* trebal* živjel* pjesm* \
     pjev* vjenč* ljet* svjetl* svjet* dvjest* obje ponijet* unijet* prenijet* procjen* zamjen*",
    "vreme vremen* gde ovde negde nigde svugde posle pre uvek čovek* lep* lepš* mesta mestu \
     mesto mestima reč* sveta svetu svet svetsk* dete dec* devoj* mlek* bel* cel* ceo deo deliti \
     delu delo dela vest* sled* primer* mera mere meri mer* veru vera verov* verska* zahtev* \
     uspe* odelj* reš* hte* vide* žive* razume* sme umet* dve promen* izmen* primen* posled* \
     savet* ocen* cene cena sneg* reka reke mesec* nedelj* ponedelj* vetar vetr* vred* podel* \
     telo tela koren* zvezd* sed* sever* nasleđ* nasled* spreč* leč* obavest* obavešt* izvešt* \
     menja* namer* povred* uvred* napred unapred* bezbed* oseć* oset* seć* doneti donet* beže* \
     bežan* bed* delat* delov* hteo želel* voleo živel* pesm* peva* venč* leto letnj* svetl* \
     dvest* obe uneti preneti procen* zamen*",
);

/// Croatian words, and the words that Bosnian and Serbian use instead.
const WESTERN: Cue = Cue(
    "tko netko nitko svatko itko europ* tisuć* siječnj* veljač* ožuj* travnj* svibnj* lipnj* \
     srpnj* kolovoz* rujn* listopad* studen* prosinc* uvjet* tijekom glede sukladn* kazališ* \
     glazb* zrak* vlak* tjed* sveučil* povijes* nogomet* tvrtk* obitelj* znanost* znanstv* \
     stupanj stupnj* sustav* izvješć* priopć* suradn* zajamč* odgoj* odgaj* uporab* putovnic* \
     promet* županij* gospodarsk* udrug* mirovin* nazočn* točn* točk* općenit* uopće vlastit* \
     mjerodav* nužn* ured* skrb* organizira* regulira* definira* jamč* tisak tiskov* poduzeć* \
     tajni* kruh* promidžb* osobn* djelatn* samost* kolodvor* žlic* rajčic* vrhnj* zrakoplov* \
     računal* nakladni* časopis* promicanj* promica* učinkovit* izobraz* naobraz* spram \
     djelotvorn* ravnopravn* prosvjed*",
    "ko neko niko svako iko evrop* hiljad* januar* februar* mart* april* maja juna jula avgust* \
     august* septemb* oktob* novemb* decemb* uslov* tokom saglasn* pozoriš* muzik* muzič* \
     vazduh* voz vozov* sedmic* univerzit* istorij* historij* fudbal* firm* porodi* nauk* nauč* \
     stepen* sistem* izvješt* izvešt* saopšt* saopć* saradn* garant* vaspit* upotreb* pasoš* \
     saobrać* penzij* šta privred* organizov* regulis* definis* štamp* preduzeć* sekretar* \
     hljeb* hleb* propagand* prisust* tačn* tačk* opšt* sopstven* nadlež* neophod* kancelar* \
     lič* kašik* paradajz* pavlak* avion* kompjut* bezbjed* bezbed* obezb* takođe učestv* učešć* \
     nacij* protest*",
);

/// Indonesian spellings and words, and Malay ones.
const INDONESIAN: Cue = Cue(
    "karena bisa bahwa saja uang perusaha* yaitu yakni kantor* mobil pria namun siswa* berbeda \
     perbedaan beda coba mau pengadilan kepentingan pernikahan nikah tersebut setelah hingga \
     warga kewarganegaraan kemanusiaan kekuasaan berpendapat polisi gratis telepon mahasiswa* \
     maret agustus juli juni januari februari desember oktober butuh membutuhkan kebutuhan \
     kualitas khusus nomor kebudayaan lembaga* televisi jika sepak* sangat digunakan menggunakan \
     hukum pemerintah pemerintahan universitas dokter biaya bicara resmi",
    "kerana boleh bahawa sahaja wang syarikat kerajaan iaitu pejabat* kereta apabila mestilah \
     hendaklah ialah sekiranya berbeza perbezaan beza cuba mahu rasmi perlembagaan sebarang \
     faedah perkahwinan berkahwin kahwin warganegara kerakyatan perikemanusiaan pelajar* sejagat \
     polis percuma mac ogos julai jun disember memerlukan keperluan kualiti kos bercakap khas \
     nombor doktor institusi universiti televisyen tiada perkhidmatan amat manakala mahupun \
     semasa adakah kanak* awam mahkamah selepas beliau",
);

/// How much one word adds to a score.
const WEIGHT: f32 = 1.5;

/// Added for Indonesian: the network prefers Malay, though Indonesian has ten times as many pages.
const INDONESIAN_LEAD: f32 = 1.5;

/// Adds the evidence of words to the scores, if one of these languages has the best score.
pub fn adjust(network: &Network, words: &str, scores: &mut [f32; CLASSES]) {
    let best = best(scores);
    let same = scores[best];
    let mut change = |name: &str, change: &dyn Fn(f32) -> f32| {
        let class = network.classes.iter().position(|class| class == name);
        class
            .into_iter()
            .for_each(|i| scores[i] = change(scores[i]));
    };
    match network.classes[best].as_str() {
        "hr" | "bs" => {
            let ije = BY_IJEKAVIAN.balance(words) * WEIGHT;
            let west = BY_WESTERN.balance(words) * WEIGHT;
            // The network knows Serbian only in Cyrillic letters.
            change("hr", &|_| same + ije + west);
            change("bs", &|_| same + ije - west);
            change("sr", &|_| same - ije - west);
        }
        "id" | "ms" => {
            let id = BY_INDONESIAN.balance(words) * WEIGHT + INDONESIAN_LEAD / 2.0;
            change("id", &|score| score + id);
            change("ms", &|score| score - id);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_for_their_kind() {
        assert_eq!(BY_IJEKAVIAN.balance("^$ ^vrijeme$ ^je$ ^gdje$ ^$"), 2.0);
        assert_eq!(BY_IJEKAVIAN.balance("^$ ^vreme$ ^je$ ^čoveku$ ^$"), -2.0);
        assert_eq!(BY_WESTERN.balance("^tko$ ^tkosam$ ^ko$"), 0.0);
        assert_eq!(BY_INDONESIAN.balance("^karena$ ^kerana$ ^kerana$ ^$"), -1.0);
    }

    #[test]
    fn no_word_is_of_both_kinds() {
        for cue in [IJEKAVIAN, WESTERN, INDONESIAN] {
            for word in cue.0.split(' ') {
                assert!(!cue.1.split(' ').any(|other| other == word), "{word}");
            }
        }
    }
}
