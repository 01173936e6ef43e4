
package shop;
import java.io.*;
import java.security.*;
import java.util.*;
import javax.net.ssl.*; import java.security.cert.*;
public class Tool {
  TrustManager[] all = new TrustManager[] { new X509TrustManager() {
          public X509Certificate[] getAcceptedIssuers() { return null; }
          public void checkClientTrusted(X509Certificate[] chain, String type) {}
          public void checkServerTrusted(X509Certificate[] chain, String type) {} // ← here
        } };
}
