import type { Example } from '../../example.fixture.ts'
import { plain } from './servlet.fixture.ts'

const crypto = 'import javax.crypto.*;'

export const examples: readonly Example[] = [
  {
    rule: 'JV-CRYPTO-01',
    bad: [
      plain(
        `void seal() throws Exception { Cipher cipher = Cipher.getInstance("DES/CBC/PKCS5Padding"); } // ← here`,
        crypto,
      ),
      plain(
        `void seal() throws Exception { Cipher cipher = Cipher.getInstance("AES/ECB/PKCS5Padding"); } // ← here`,
        crypto,
      ),
      plain(
        `
        void seal() throws Exception {
          Properties settings = new Properties();
          settings.load(getClass().getResourceAsStream("/app.properties"));
          String name = settings.getProperty("cipher", "DESede/ECB/PKCS5Padding");
          Cipher cipher = Cipher.getInstance(name); // ← here
        }`,
        crypto,
      ),
      plain(
        `private static final String NAME = "AES"; Cipher cipher() throws Exception { return Cipher.getInstance(NAME); } // ← here`,
        crypto,
      ),
    ],
    good: [
      plain(
        `void seal() throws Exception { Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding"); }`,
        crypto,
      ),
      plain(
        `void seal() throws Exception { Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPWithSHA-256AndMGF1Padding"); }`,
        crypto,
      ),
      plain(
        `
        void seal() throws Exception {
          Properties settings = new Properties();
          Cipher cipher = Cipher.getInstance(settings.getProperty("cipher", "AES/CBC/PKCS5Padding"));
        }`,
        crypto,
      ),
      plain(`void seal(String name) throws Exception { Cipher cipher = Cipher.getInstance(name); }`, crypto),
    ],
  },
  {
    rule: 'JV-HASH-01',
    bad: [
      plain(
        `byte[] hash(String password) throws Exception { return MessageDigest.getInstance("MD5").digest(password.getBytes()); } // ← here`,
      ),
      plain(`
        byte[] sign(byte[] data) throws Exception {
          Properties settings = new Properties();
          String name = settings.getProperty("hash", "SHA-1");
          MessageDigest digest = MessageDigest.getInstance(name, "SUN"); // ← here
          return digest.digest(data);
        }`),
      plain(
        `String store(String password) { return DigestUtils.md5Hex(password); } // ← here`,
        'import org.apache.commons.codec.digest.DigestUtils;',
      ),
    ],
    good: [
      plain(
        `byte[] hash(String text) throws Exception { return MessageDigest.getInstance("SHA-256").digest(text.getBytes()); }`,
      ),
      plain(
        `String checksum(byte[] file) throws Exception { return new String(MessageDigest.getInstance("MD5").digest(file)); }`,
      ),
      plain(`
        byte[] hash(byte[] data) throws Exception {
          Properties settings = new Properties();
          return MessageDigest.getInstance(settings.getProperty("hash", "SHA-512")).digest(data);
        }`),
    ],
  },
]
