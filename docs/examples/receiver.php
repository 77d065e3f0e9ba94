<?php
// For any web server, or to try: php -S 127.0.0.1:3000 receiver.php
$key = base64_decode(substr(getenv('HELIOGRAPH_WEBHOOK_SECRET'), strlen('whsec_')));
$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$ours = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));

$good = false;
foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $each) {
    $good = hash_equals($ours, $each) || $good;
}
if (!$good || abs(time() - (int) $timestamp) > 300) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true);
error_log($event['type'] . ' ' . json_encode($event['data']));
http_response_code(204);
