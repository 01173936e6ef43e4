using System.IO.Compression;

namespace Shop;

public class Orders
{
  public void Unpack(string archivePath, string folder)
  {
    ZipFile.ExtractToDirectory(archivePath, folder);
  }
}
