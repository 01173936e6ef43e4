
package shop;
import java.io.*;
import java.security.*;
import java.util.*;
import javax.crypto.*;
public class Tool {
  private static final String NAME = "AES"; Cipher cipher() throws Exception { return Cipher.getInstance(NAME); } // ← here
}
