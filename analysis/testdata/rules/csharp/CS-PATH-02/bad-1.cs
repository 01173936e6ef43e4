using System.IO.Compression;

namespace Shop;

public class Orders
{
  public void Unpack(Stream upload, string folder)
  {
    using var archive = new ZipArchive(upload);
    foreach (var entry in archive.Entries)
    {
      var path = Path.Combine(folder, entry.FullName); // ← here
      entry.ExtractToFile(path, true);
    }
  }
}
