filedesc://a.arc 0.0.0.0 20240101000000 text/plain 114
2 0 Nobody
URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length


http://example.org/1 192.0.2.1 20240101000000 text/html 200 - - 0 a.arc 107
Page 1 has a few words.
Page 1 has a few words.
Page 1 has a few words.
Page 1 has a few words.
And an end.
http://example.org/2 192.0.2.2 20240101000000 text/html 200 - - 0 a.arc 107
Page 2 has a few words.
Page 2 has a few words.
Page 2 has a few words.
Page 2 has a few words.
And an end.
