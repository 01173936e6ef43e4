
package shop;
import java.io.*;
import java.security.*;
import java.util.*;
import javax.net.ssl.*; import java.security.cert.*;
public class Tool {
  class Pinned implements X509TrustManager {
          public X509Certificate[] getAcceptedIssuers() { return null; }
          public void checkClientTrusted(X509Certificate[] chain, String type) {}
          public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException { chain[0].checkValidity(); }
        }
}
