import type { Example } from '../../example.fixture.ts'
import { plain } from './servlet.fixture.ts'

const ssl = 'import javax.net.ssl.*; import java.security.cert.*;'

export const examples: readonly Example[] = [
  {
    rule: 'JV-TLS-01',
    bad: [
      plain(
        `
        TrustManager[] all = new TrustManager[] { new X509TrustManager() {
          public X509Certificate[] getAcceptedIssuers() { return null; }
          public void checkClientTrusted(X509Certificate[] chain, String type) {}
          public void checkServerTrusted(X509Certificate[] chain, String type) {} // ← here
        } };`,
        ssl,
      ),
      plain(
        `void open() { HttpsURLConnection.setDefaultHostnameVerifier((host, session) -> true); } // ← here`,
        ssl,
      ),
      plain(
        `
        static class Any implements HostnameVerifier {
          public boolean verify(String host, SSLSession session) { return true; } // ← here
        }`,
        ssl,
      ),
    ],
    good: [
      plain(
        `
        class Pinned implements X509TrustManager {
          public X509Certificate[] getAcceptedIssuers() { return null; }
          public void checkClientTrusted(X509Certificate[] chain, String type) {}
          public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException { chain[0].checkValidity(); }
        }`,
        ssl,
      ),
      plain(
        `void open() { HttpsURLConnection.setDefaultHostnameVerifier((host, session) -> host.equals("db")); }`,
        ssl,
      ),
      plain(
        `
        class Strict implements HostnameVerifier {
          public boolean verify(String host, SSLSession session) { return session.getPeerHost().equals(host); }
        }`,
        ssl,
      ),
    ],
  },
]
